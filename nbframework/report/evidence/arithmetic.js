// The arithmetic of the case, written out: counts and smoothing, product, sum, quotient.

const MOST_COLUMNS = 4;

const mn = (text) => math("mn", {}, text);
const mo = (text) => math("mo", { stretchy: "false" }, text);
const fraction = (above, below) => math("mfrac", {}, math("mrow", {}, above), math("mrow", {}, below));
const formula = (...parts) => math("math", { displaystyle: "true" }, math("mrow", {}, ...parts));
const plus = (number, more) => (more === 0 ? [mn(count(number))] : [mn(count(number)), mo("+"), mn(short(more))]);

function raised(parts, exponent) {
  if (exponent === 1) return parts;
  return [math("msup", {}, math("mrow", {}, math("mo", {}, "("), parts, math("mo", {}, ")")), mn(short(exponent)))];
}

function priorCell(code) {
  const { prior } = model;
  if (decision.given_priors) return formula(mn(short(decision.given_priors[code])));
  const log = logPrior()[code];
  if (prior.formula === null || (prior.is_estimators && model.estimator.formula === null) || !prior.known[code]) {
    return formula(mn(exponential(log)));
  }
  const t = prior.is_estimators ? state.parameter.estimator : state.parameter.prior;
  const total = prior.weight.reduce((sum, weight, place) => sum + (prior.known[place] ? weight : 0), 0);
  return formula(fraction(plus(prior.weight[code], t * prior.added), plus(total, t * prior.total)), mo("="), mn(exponential(log)));
}

function gaussianParts(density, x, code) {
  const deviation = Math.sqrt(density.variance[code]);
  const difference = math("msup", {}, math("mrow", {}, mo("("), mn(short(x)), mo("\u2212"), mn(short(density.mean[code])), mo(")")), mn("2"));
  const square = [mn("2"), mo("\u00b7"), math("msup", {}, mn(short(deviation)), mn("2"))];
  const root = math("msqrt", {}, math("mrow", {}, mn("2"), math("mi", {}, "\u03c0")));
  return [fraction([mn("1")], [mn(short(deviation)), root]), mo("\u00b7"), math("mi", {}, "exp"), mo("("), mo("\u2212"), fraction([difference], square), mo(")")];
}

function factorParts(position, code) {
  const attribute = attributes[position];
  const value = state.values[position];
  if (attribute.kind === "number") {
    const { density } = attribute;
    if (density.form === "gaussian" && density.variance[code]) return gaussianParts(density, value, code);
  } else if (!attribute.log) {
    const found = fractionOf(attribute, value, code);
    if ("replaced" in found) return [mn(short(found.replaced))];
    if ("uniform" in found) return [fraction([mn("1")], [mn(short(found.uniform))])];
    const n = attribute.counts[value][code];
    const known = attribute.known[code];
    return [fraction(plus(n, found.numerator - n), plus(known, found.denominator - known))];
  }
  return [mn(exponential(logFactor(position, value, state.values)[code]))];
}

function factorCell(position, code) {
  const parts = factorParts(position, code);
  const exponent = attributes[position].exponent[code];
  const nats = contribution(position, state.values[position], state.values)[code];
  const isPlain = exponent === 1 && parts.length === 1 && parts[0].nodeName.toLowerCase() === "mn";
  return isPlain ? formula(parts) : formula(raised(parts, exponent), mo("="), mn(exponential(nats)));
}

const isSilent = (position) => {
  const attribute = attributes[position];
  const value = state.values[position];
  if (!attribute.has_factor || attribute.exponent.every((exponent) => exponent === 0)) return true;
  if (attribute.kind === "number") return value === null;
  return attribute.log ? isUnknown(attribute, value) && logFactor(position, value, state.values).every((log) => log === 0) : attribute.left_out[value];
};

/** What the letters of a formula stand for. */
function symbols({ formula: text, parameter, value, path }) {
  const meanings = {
    N: "N rows of the class have the value",
    n: "n of its rows know the attribute",
    k: "the attribute has k values",
    q: "q is the share of the value before any row of the class is seen",
    m: parameter === "m" ? null : "m is the number of training rows",
    "P(C)": "P(C) is the share of the class",
    a: "a is the number of attributes",
  };
  const used = Object.entries(meanings).filter(([letter, meaning]) => meaning && text.match(/P\(C\)|\b[A-Za-z]\b/g).includes(letter));
  const own = parameter ? [`${parameter} = ${short(state.parameter.estimator ?? value)} (${path})`] : [];
  return [...used.map(([, meaning]) => meaning), ...own].join(", ");
}

function buildArithmetic(panel) {
  const body = h("div", {});
  let showsAll = classes.length <= MOST_COLUMNS;
  const all = h("input", { type: "checkbox" });
  all.addEventListener("change", () => { showsAll = all.checked; draw(); });
  put(panel,
    h("p", { class: "intro" }, "The posterior of the case by hand: the prior times one factor for each known attribute, ",
      "divided by the sum over the classes."),
    hasTables && (model.estimator.formula
      ? h("p", { class: "intro" }, "Every factor is ", h("b", {}, model.estimator.formula),
        `: ${symbols(model.estimator)}.`)
      : h("p", { class: "intro" }, `The factors stand as they were estimated: ${model.estimator.why}.`)),
    classes.length > MOST_COLUMNS && h("label", { class: "inline" }, all, `Show all ${classes.length} classes`),
    body);
  function draw() {
    const logs = logPosterior(state.values);
    const winner = predicted(logs);
    const shown = showsAll ? classes.map((_, code) => code) : [winner, runnerUp(logs, winner)];
    body.replaceChildren(arithmeticTable(shown, logs), silence());
  }
  return draw;
}

function arithmeticTable(shown, logs) {
  const joint = logJoint(state.values);
  const speaking = byImportance.filter((position) => !isSilent(position));
  const row = (title, cell, look) => h("tr", { class: look }, h("th", { scope: "row" }, title), shown.map((code) => h("td", {}, cell(code))));
  const top = Math.max(...joint);
  const sum = top === -Infinity ? -Infinity : top + Math.log(joint.reduce((total, log) => total + Math.exp(log - top), 0));
  const quotient = (code) => (sum === -Infinity
    ? formula(mn(posteriorText(logs, code)))
    : formula(fraction([mn(exponential(joint[code]))], [mn(exponential(sum))]), mo("="), mn(posteriorText(logs, code))));
  return scroller("The arithmetic", h("table", { class: "arithmetic" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "factor"), shown.map((code) => h("th", { scope: "col" }, classes[code])))),
    h("tbody", {},
      row("P(class)", priorCell),
      speaking.map((position) => row(conditionText(position), (code) => factorCell(position, code))),
      row("product", (code) => formula(mn(exponential(joint[code]))), "total"),
      h("tr", {}, h("th", { scope: "row" }, `sum over ${classes.length} classes`),
        h("td", { colspan: shown.length }, sum === -Infinity ? "0: every class is ruled out, so the class frequencies answer" : formula(mn(exponential(sum))))),
      row("posterior = product / sum", quotient, "total"))));
}

function conditionText(position) {
  const attribute = attributes[position];
  const parents = attribute.parents ?? [];
  const given = parents.map((parent) => `, ${statement(attributes[parent], state.values[parent])}`).join("");
  return `${attribute.kind === "number" ? "p" : "P"}(${statement(attribute, state.values[position])} | class${given})`;
}

function silence() {
  const left = byImportance.filter(isSilent).map((position) => attributes[position].name);
  return h("p", { class: "small muted" }, left.length ? `Left out, a factor of 1: ${left.join(", ")}.` : "No attribute is left out.");
}
