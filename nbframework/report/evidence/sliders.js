// The parameters of closed forms: what the estimates would be under other values.

function buildSliders() {
  const place = byId("slider-controls");
  const { estimator, prior } = model;
  const own = [];
  const priorMoves = prior.is_estimators && prior.formula !== null;
  if (estimator.parameter && (hasTables || priorMoves)) {
    own.push(["estimator", estimator, [
      ...(hasTables ? [["conditional probabilities", estimator.formula]] : []),
      ...(priorMoves ? [["class prior", prior.formula]] : []),
    ]]);
  }
  if (prior.parameter && !prior.is_estimators) own.push(["prior", prior, [["class prior", prior.formula]]]);
  for (const [kind, part, formulas] of own) place.append(slider(kind, part, formulas));
  if (estimator.formula === null && hasTables) {
    place.append(h("p", { class: "small muted", id: "no-closed-form" },
      `No slider for the conditional probabilities: ${estimator.why}. They stand as they were estimated.`));
  } else if (!own.length) {
    place.append(h("p", { class: "small muted", id: "no-parameter" },
      `Estimator ${estimator.name}: ${estimator.formula}. It has no parameter to move.`));
  }
  if (own.length && model.is_weighted) {
    place.append(h("p", { class: "small muted" }, "The exponents stay as they were learned from the fitted model."));
  }
}

/** A parameter as a slider and as a number; `formulas` are pairs of what they give and their text. */
function slider(kind, part, formulas) {
  const { ge, gt, le } = part.limits;
  const largest = le ?? Math.max(10, 4 * part.value);
  const step = largest / 1000;
  const least = ge ?? (gt === undefined ? -largest : gt + step);
  const range = h("input", { type: "range", min: least, max: largest, step: "any", id: `${kind}-range` });
  const number = h("input", { type: "number", min: gt ?? ge, max: le, step: "any", id: `${kind}-number`, "data-path": part.path });
  const told = h("p", { class: "small muted" });
  const isAllowed = (value) =>
    Number.isFinite(value) && !(value < ge) && !(gt !== undefined && value <= gt) && !(value > le);

  function move(value, except) {
    number.setAttribute("aria-invalid", String(!isAllowed(value)));
    if (!isAllowed(value)) return;
    state.parameter[kind] = value;
    if (except !== range) range.value = String(value);
    if (except !== number) number.value = String(value);
    range.setAttribute("aria-valuetext", `${part.parameter} = ${short(value)}`);
    told.textContent = value === part.value ? "as fitted" : `fitted with ${part.parameter} = ${short(part.value)}`;
    if (except !== null) changed("parameters");
  }
  range.addEventListener("input", () => move(Number(Number(range.value).toPrecision(3)), range));
  number.addEventListener("input", () => number.value !== "" && move(Number(number.value), number));
  number.addEventListener("change", () => move(state.parameter[kind], undefined));
  range.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -10, ArrowDown: -10, ArrowRight: 10, ArrowUp: 10 }[event.key];
    if (!by) return;
    event.preventDefault();
    const value = state.parameter[kind] + by * step;
    move(Number(Math.min(largest, Math.max(least, value)).toPrecision(6)), undefined);
  });
  move(part.value, null);
  return h("div", { class: "slider" },
    h("p", { class: "formula" },
      formulas.map(([what, text], place) => [place ? "; " : "", `${what}: `, h("b", {}, text)])),
    h("div", { class: "slider-row" },
      h("label", { for: range.id }, part.path),
      range,
      h("label", { for: number.id, class: "visually-hidden" }, `${part.path} as a number`),
      number,
      h("button", { type: "button", onclick: () => move(part.value, undefined) }, "Reset")),
    told);
}
