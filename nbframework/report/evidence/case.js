// Choosing a case: a row of the data, or nothing known.

function buildCase() {
  const { examples } = model;
  const truth = h("p", { class: "small muted", id: "truth" });
  const select = choice(["none: a case of your own", ...examples.map(exampleText)], model.opens_with_example ? 1 : 0, load);
  select.id = "example";
  let isLoading = false;

  function load(place) {
    isLoading = true;
    setCase(place ? examples[place - 1].values : unknownCase());
    isLoading = false;
    describe(place);
  }
  function describe(place) {
    const example = place ? examples[place - 1] : null;
    truth.textContent = example && example.class !== null ? `Its class in the data: ${classes[example.class]}` : "";
  }
  const step = (by) => () => {
    const count = examples.length;
    select.value = String(((Number(select.value) - 1 + by + count) % count) + 1);
    load(Number(select.value));
  };
  whenChanged((what) => {
    if (isLoading || what !== "case" || select.value === "0") return;
    const { values } = examples[Number(select.value) - 1];
    if (values.every((value, position) => value === state.values[position])) return;
    select.value = "0";
    describe(0);
  });
  put(byId("case-controls"),
    h("label", {}, examples.length > 1 ? "Load a row of the data" : "Row", select),
    h("div", { class: "buttons" },
      examples.length > 1 && h("button", { type: "button", onclick: step(-1) }, "Previous"),
      examples.length > 1 && h("button", { type: "button", onclick: step(1) }, "Next"),
      h("button", { type: "button", id: "clear", onclick: () => { select.value = "0"; load(0); } }, "All unknown")),
    truth);
  if (model.opens_with_example) load(1);
}
