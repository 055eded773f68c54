// Attributes that stayed numbers: a number to type in, and the likelihood of each class there.

const FORMULAS = {
  gaussian: "p(x | class) = 1 / (\u03c3 \u221a(2\u03c0)) \u00b7 exp(\u2212(x \u2212 \u03bc)\u00b2 / (2\u03c3\u00b2))",
  counts: "p(x | class) \u221d q\u02e3, with q the class\u2019s share of this attribute",
  threshold: "P(class) of lying above or at most the threshold",
};

function densityNumbers(density, code) {
  if (density.form === "gaussian") {
    if (density.variance[code] === null) return "says nothing";
    return `\u03bc ${short(density.mean[code])}, \u03c3 ${short(Math.sqrt(density.variance[code]))}`;
  }
  if (density.form === "counts") return `q ${exponential(logOf(density.log_share[code]))}`;
  if (density.form === "threshold") return `P(x > ${short(density.threshold)}) ${exponential(logOf(density.log_above[code]))}`;
  return "";
}

function numberInput(position) {
  const { density } = attributes[position];
  if (density.form === "table") {
    const select = choice(["unknown", ...density.points.map((point) => String(point))], 0, (place) =>
      setValue(position, place ? density.points[place - 1] : null));
    return { input: select, fill: (x) => { select.value = x === null ? "0" : String(nearest(density.points, x) + 1); } };
  }
  const input = h("input", { type: "number", step: "any", placeholder: "unknown" });
  input.addEventListener("input", () => {
    if (!input.validity.badInput) setValue(position, input.value === "" ? null : Number(input.value));
  });
  const fill = (x) => {
    if ((input.value === "" ? null : Number(input.value)) !== x) input.value = x === null ? "" : String(x);
  };
  return { input, fill };
}

function densityCard(position) {
  const attribute = attributes[position];
  const { density } = attribute;
  const { input, fill } = numberInput(position);
  const rows = classes.map((name, code) => {
    const row = { fill: h("i", { class: `fill ${classLook(code)}` }), share: h("span", { class: "share" }), log: h("td") };
    row.element = h("tr", {},
      h("th", { scope: "row" }, h("span", { class: `swatch ${classLook(code)}`, "aria-hidden": "true" }), name),
      h("td", { class: "formula-numbers" }, densityNumbers(density, code)),
      row.log,
      h("td", {}, h("span", { class: "track", "aria-hidden": "true" }, row.fill), h("span", { class: "numbers" }, row.share)));
    return row;
  });
  const curve = densityCurve(attribute);
  const lead = FORMULAS[density.form] ?? `density ${density.name}: known at these values only, it declares no formula`;
  const card = cardOf(position,
    h("div", { class: "number-row" },
      h("label", {}, `Value (seen: ${short(density.range[0])} to ${short(density.range[1])})`, input)),
    curve && curve.element,
    h("p", { class: "small muted" }, lead),
    h("div", { class: "scroll" }, h("table", { class: "values densities" },
      h("thead", {}, h("tr", {}, ["class", density.name, "log density", "says"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, rows.map(({ element }) => element)))));
  return {
    card,
    bars() {
      const x = state.values[position];
      const found = shares(position, x, state.values);
      const logs = logFactor(position, x, state.values);
      rows.forEach((row, code) => {
        row.fill.style.setProperty("inline-size", `${100 * found[code]}%`);
        row.share.textContent = x === null ? "left out" : shortPercent(found[code]);
        row.log.textContent = x === null ? "\u2013" : short(logs[code]);
      });
      if (curve) curve.mark(x);
    },
    chosen: () => fill(state.values[position]),
  };
}

/** The densities as curves, where they are densities of a line. */
function densityCurve(attribute) {
  const { density } = attribute;
  if (!["gaussian", "table"].includes(density.form)) return null;
  const [low, high] = density.range;
  const margin = (high - low || 1) * 0.12;
  const from = low - margin;
  const span = high + margin - from;
  const xs = density.form === "table" ? density.points : Array.from({ length: 121 }, (_, i) => from + (span * i) / 120);
  const heights = classes.map((_, code) => xs.map((x) => Math.exp(logDensity(density, x, code))));
  const isOut = ruledOut();
  const top = Math.max(...heights.filter((_, code) => !isOut[code]).flat().filter(Number.isFinite));
  if (!(top > 0)) return null;
  const across = (x) => (300 * (x - from)) / span;
  const lines = heights.map((height, code) => svg("polyline", {
    class: `curve ${classLook(code)}`, fill: "none", "vector-effect": "non-scaling-stroke",
    points: height.map((y, i) => `${across(xs[i]).toFixed(2)},${(78 - (70 * Math.min(y, top)) / top).toFixed(2)}`).join(" "),
  }));
  const line = svg("line", { class: "cursor", y1: 0, y2: 80, "vector-effect": "non-scaling-stroke" });
  return {
    element: svg("svg", { class: "curves", viewBox: "0 0 300 80", preserveAspectRatio: "none", "aria-hidden": "true" }, lines, line),
    mark(x) {
      ruledOut().forEach((out, code) => lines[code].toggleAttribute("hidden", out));
      line.toggleAttribute("hidden", x === null);
      if (x === null) return;
      line.setAttribute("x1", across(x));
      line.setAttribute("x2", across(x));
    },
  };
}
