// The evidence of every value: what it alone would say, and the rows behind it.

function exponentText(attribute) {
  if (!attribute.has_factor) return "no factor: the structure does not look at it";
  const distinct = new Set(attribute.exponent);
  if (distinct.size > 1) {
    return `exponents: ${attribute.exponent.map((number, code) => `${classes[code]} ${short(number)}`).join(", ")}`;
  }
  const [exponent] = distinct;
  if (exponent === 1) return null;
  return exponent === 0 ? "exponent 0: says nothing" : `exponent ${short(exponent)}`;
}

function importanceOf(attribute) {
  if (attribute.importance === null) return null;
  const fill = h("i", { style: { "inline-size": `${attribute.importance}%` } });
  return h("span", { class: "importance" },
    h("span", { class: "track", "aria-hidden": "true" }, fill),
    `importance ${attribute.importance.toFixed(1)} of 100`);
}

/** The frame that cards of all attributes have; `given` is filled in where a factor looks at other attributes. */
function cardOf(position, ...content) {
  const attribute = attributes[position];
  const exponent = exponentText(attribute);
  return h("fieldset", { class: "card attribute", "data-attribute": attribute.name, "data-position": position },
    h("legend", {}, attribute.name),
    h("p", { class: "meta" }, importanceOf(attribute), exponent && h("span", { class: "exponent" }, exponent)),
    content);
}

function codedCard(position) {
  const attribute = attributes[position];
  const given = h("p", { class: "meta given", hidden: !attribute.parents.length });
  const rows = attribute.counts.map((_, value) => valueRow(position, value));
  const table = h("table", { class: "values", style: { "--columns": classes.length } },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "value"),
      classes.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map((row) => row.element)));
  const card = cardOf(position, given, h("div", { class: "scroll" }, table));
  table.addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr");
    const radio = row && row.querySelector("input");
    if (!radio || event.target.closest("label")) return;
    radio.focus();
    if (!radio.checked) radio.click();
  });
  return {
    card,
    bars() {
      rows.forEach((row) => row.bars());
      if (!attribute.parents.length) return;
      given.textContent = `given ${attribute.parents.map((parent) =>
        statement(attributes[parent], state.values[parent])).join(" and ")}; row counts are of the value alone`;
    },
    chosen() {
      const value = state.values[position];
      rows[value].radio.checked = true;
      rows.forEach((row, place) => row.element.classList.toggle("chosen", place === value));
      rows[attribute.labels.length].element.hidden = value !== attribute.labels.length;
    },
  };
}

function valueRow(position, value) {
  const attribute = attributes[position];
  const isDeclared = value < attribute.labels.length;
  const radio = h("input", { type: "radio", name: `attribute-${position}`, value, onchange: () => setValue(position, value) });
  const cells = classes.map((_, code) => {
    const fill = h("i", { class: `fill ${classLook(code)}` });
    const share = h("span", { class: "share" });
    const rows = attribute.counts[value]?.[code];
    const title = rows === undefined ? null : `${count(rows)} of ${count(attribute.known[code])} rows of ${classes[code]}`;
    const cell = h("td", { title },
      h("span", { class: "track", "aria-hidden": "true" }, fill),
      h("span", { class: "numbers" }, share, rows !== undefined && h("span", { class: "rows" }, count(rows))));
    return { cell, fill, share };
  });
  const element = h("tr", { class: isDeclared ? null : "other" },
    h("th", { scope: "row" }, h("label", {}, radio, h("span", {}, valueText(attribute, value)))),
    cells.map(({ cell }) => cell));
  const isLeftOut = attribute.left_out[value];
  return {
    element,
    radio,
    bars() {
      const found = shares(position, value, state.values);
      cells.forEach(({ fill, share, cell }, code) => {
        fill.style.setProperty("inline-size", `${100 * found[code]}%`);
        share.textContent = isLeftOut && !attribute.log ? "left out" : shortPercent(found[code]);
        cell.dataset.share = String(found[code]);
      });
    },
  };
}

function buildEvidence(panel) {
  const cards = byImportance.map((position) =>
    (attributes[position].kind === "number" ? densityCard(position) : codedCard(position)));
  put(panel,
    h("p", { class: "intro" },
      "Each bar is what one value alone would say from equal priors: a class without a share is ruled out, equal bars say ",
      "nothing. Beside it the training rows of the class with that value. Choose values to put a case together."),
    attributes.length > 8 && finder(panel),
    h("div", { class: "cards" }, cards.map(({ card }) => card)));
  let isFirst = true;
  return (what) => {
    for (const [place, card] of cards.entries()) {
      const attribute = attributes[byImportance[place]];
      if (isFirst || what === "parameters" || attribute.kind === "number" || attribute.parents.length) card.bars();
      card.chosen();
    }
    isFirst = false;
  };
}

function finder(panel) {
  const input = h("input", { type: "search", autocomplete: "off" });
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    panel.querySelectorAll(".attribute").forEach((card) => {
      card.hidden = !card.dataset.attribute.toLowerCase().includes(wanted);
    });
  });
  return h("label", { class: "finder" }, "Find an attribute", input);
}
