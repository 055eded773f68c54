// What stands behind a vote: who speaks how loudly, the sums, and the posterior along the parameter.

const NEAREST = 12;

function buildRows() {
  const { examples } = model;
  const truth = h("p", { class: "small muted", id: "truth" });
  const select = choice(examples.map(exampleText), 0, load);
  select.id = "example";
  function load(place) {
    state.example = place;
    const own = examples[place].class;
    truth.textContent = own === null ? "" : `Its class in the data: ${classes[own]}`;
    changed("case");
  }
  const step = (by) => () => {
    select.value = String((Number(select.value) + by + examples.length) % examples.length);
    load(Number(select.value));
  };
  put(byId("case-controls"),
    h("label", {}, "Row of the data", select),
    examples.length > 1 && h("div", { class: "buttons" },
      h("button", { type: "button", onclick: step(-1) }, "Previous"),
      h("button", { type: "button", onclick: step(1) }, "Next")),
    h("p", { class: "small muted" }, "A vote needs the distances to the training rows, which the page has for these rows alone."),
    truth);
  load(0);
}

/** The nearest distances with the rows of each class there, and their shares of the vote. */
function speakers(example, t) {
  const total = logTotal(logSums(example, t));
  const byDistance = new Map();
  for (const [log, code, weight, distance] of example.near) {
    if (!byDistance.has(log)) byDistance.set(log, { distance, rows: classes.map(() => 0), share: 0 });
    const group = byDistance.get(log);
    group.rows[code] += weight;
    group.share += Math.exp(Math.log(weight) - t * log + vote.log_share[code] - total);
  }
  return [...byDistance.values()];
}

function speakerRows(example, t) {
  const all = speakers(example, t);
  const shown = all.slice(0, NEAREST);
  const rest = all.slice(NEAREST);
  if (rest.length) {
    shown.push({
      distance: null,
      rows: classes.map((_, code) => rest.reduce((sum, { rows }) => sum + rows[code], 0)),
      share: rest.reduce((sum, { share }) => sum + share, 0),
    });
  }
  return shown.map(({ distance, rows, share }) => h("tr", {},
    h("th", { scope: "row" }, distance === null ? "farther" : short(distance)),
    rows.map((number) => h("td", { class: "number" }, count(number))),
    h("td", {}, h("span", { class: "track", "aria-hidden": "true" }, h("i", { class: "fill series s1 p0", style: { "inline-size": `${100 * share}%` } })),
      h("span", { class: "numbers" }, h("span", { class: "share" }, percent(Math.min(1, share)))))));
}

/** The posterior of each class along the parameter, drawn on a common scale. */
function curveDrawing(example, width) {
  const most = Math.max(10, 3 * vote.value, 1.2 * state.parameter.vote);
  const [left, right, top, bottom] = [44, width - 12, 12, 208];
  const across = (t) => left + ((right - left) * t) / most;
  const down = (share) => bottom - (bottom - top) * share;
  const steps = Array.from({ length: 101 }, (_, i) => (most * i) / 100);
  const posteriors = steps.map((t) => votesPosterior(example, t).map(Math.exp));
  return svg("svg", {
    class: "votes", width, height: 248, viewBox: `0 0 ${width} 248`, role: "img",
    "aria-label": `Posterior of each class for ${vote.parameter} from 0 to ${short(most)}; the posterior panel has the numbers`,
  },
  [0, 0.5, 1].map((share) => [
    svg("line", { class: "tick", x1: left, x2: right, y1: down(share), y2: down(share) }),
    svg("text", { x: left - 8, y: down(share) + 4, "text-anchor": "end" }, `${100 * share} %`)]),
  ticks(0, most, 6).map((t) => svg("text", { x: across(t), y: bottom + 20, "text-anchor": "middle" }, String(t))),
  svg("text", { class: "name", x: right, y: bottom + 37, "text-anchor": "end" }, vote.parameter),
  classes.map((_, code) => svg("polyline", {
    class: `curve ${classLook(code)}`, fill: "none",
    points: steps.map((t, i) => `${across(t).toFixed(1)},${down(posteriors[i][code]).toFixed(1)}`).join(" "),
  })),
  svg("line", { class: "cursor", x1: across(state.parameter.vote), x2: across(state.parameter.vote), y1: top, y2: bottom }));
}

function sumRow(example, code, sums, total) {
  return h("tr", {},
    h("th", { scope: "row" }, h("span", { class: `swatch ${classLook(code)}`, "aria-hidden": "true" }), classes[code]),
    h("td", { class: "number" }, count(vote.rows[code])),
    h("td", { class: "number" }, exponential(sums[code])),
    h("td", { class: "number" }, percent(Math.exp(sums[code] - total))));
}

function buildVoteViews(panel) {
  const drawing = h("div", { class: "drawing" });
  const near = h("tbody", {});
  const sums = h("tbody", {});
  const heads = (texts) => h("thead", {}, h("tr", {}, texts.map((text) => h("th", { scope: "col" }, text))));
  put(panel,
    h("p", { class: "intro" }, "Every training row votes for its class with the weight ", h("b", {}, vote.formula), ", where d is its distance from the row that is asked about."),
    h("h2", {}, `The posterior along ${vote.parameter}`),
    h("p", { class: "legend" }, classes.map((name, code) => h("span", {}, h("span", { class: `swatch ${classLook(code)}`, "aria-hidden": "true" }), name))),
    drawing,
    h("h2", {}, "Who speaks"),
    scroller("Who speaks", h("table", { class: "helps" }, heads(["distance", ...classes, "share of the vote"]), near)),
    h("h2", {}, "The sums"),
    scroller("The sums", h("table", { class: "helps" }, heads(["class", "rows", `sum of ${vote.formula}`, "share"]), sums)));
  function draw() {
    const example = model.examples[state.example];
    const t = state.parameter.vote;
    const logs = logSums(example, t);
    const total = logTotal(logs);
    drawing.replaceChildren(curveDrawing(example, drawing.clientWidth || 640));
    near.replaceChildren(...speakerRows(example, t));
    sums.replaceChildren(...classes.map((_, code) => sumRow(example, code, logs, total)));
  }
  new ResizeObserver(draw).observe(drawing);
  return draw;
}

byId("sliders").open = true;
put(byId("slider-controls"), slider("vote", vote, [["weight of a row", vote.formula]]),
  model.prior.parameter && slider("prior", model.prior, [["posterior from class weights", model.prior.formula]]));
whenChanged(buildVoteViews(byId("views")));
buildRows();
performance.mark("ready");
