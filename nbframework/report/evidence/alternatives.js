// What if: the smallest change that flips the prediction, and what would help another class most.

function buildAlternatives(panel) {
  const smallest = h("div", { id: "smallest-change" });
  const rows = h("tbody", {});
  const select = choice(classes, 0, (code) => { chosen = code; draw(); });
  let chosen = null;
  panel.append(
    h("h2", {}, "The smallest change that flips the prediction"),
    smallest,
    h("h2", {}, "What would help another class most"),
    h("div", { class: "controls" }, h("label", {}, "Class", select)),
    scroller("What helps", h("table", { class: "helps" },
      h("thead", {}, h("tr", {}, ["attribute", "now", "better", "posterior then", ""].map((text, place) =>
        h("th", { scope: "col" }, text || h("span", { class: "visually-hidden" }, place ? "apply" : ""))))),
      rows)));
  function draw() {
    const logs = logPosterior(state.values);
    const winner = predicted(logs);
    const code = chosen ?? runnerUp(logs, winner);
    select.value = String(code);
    smallest.replaceChildren(...smallestChangeText(winner));
    const helpful = bestValues(state.values, code);
    rows.replaceChildren(...helpful.map((best) => helpRow(best, code)));
  }
  return draw;
}

function smallestChangeText(winner) {
  const change = smallestChange(state.values);
  if (change === null) {
    return [h("p", { "data-change": "none" }, `No change of up to ${MOST_STEPS} attributes was found that takes the prediction away from `, h("b", {}, classes[winner]), ".")];
  }
  const steps = change.touched.map((position) => {
    const attribute = attributes[position];
    return h("li", { "data-attribute": attribute.name, "data-value": String(change.values[position]) },
      h("b", {}, statement(attribute, change.values[position])), ` instead of ${valueText(attribute, state.values[position])}`);
  });
  return [
    h("ul", { class: "steps" }, steps),
    h("p", { "data-predicted": classes[change.code], "data-posterior": String(Math.exp(change.logs[change.code])) },
      "Then ", h("b", {}, classes[change.code]), ` is predicted, with a posterior of ${posteriorText(change.logs, change.code)}, instead of ${classes[winner]}.`),
    h("button", { type: "button", id: "apply-change", onclick: () => setCase(change.values) }, "Apply this change"),
  ];
}

function helpRow(best, code) {
  const attribute = attributes[best.position];
  const now = state.values[best.position];
  const isSame = best.value === now;
  const share = Math.exp(best.logs[code]);
  return h("tr", { "data-attribute": attribute.name },
    h("th", { scope: "row" }, attribute.name),
    h("td", {}, valueText(attribute, now)),
    h("td", {}, isSame ? "nothing better" : valueText(attribute, best.value)),
    h("td", { class: "number", "data-posterior": String(share) }, posteriorText(best.logs, code),
      h("span", { class: "track", "aria-hidden": "true" }, h("i", { class: `fill ${classLook(code)}`, style: { "inline-size": `${100 * share}%` } }))),
    h("td", {}, !isSame && h("button", {
      type: "button", "aria-label": `Apply ${statement(attribute, best.value)}`, onclick: () => setValue(best.position, best.value) }, "Apply")));
}
