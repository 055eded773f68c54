// The nomogram: the log odds of one class against another as lengths that add up (Mozina et al. 2004).

const odds = { of: 0, against: 1, inPoints: false };

function logOdds(position, value, values) {
  const nats = contribution(position, value, values);
  return nats[odds.of] === nats[odds.against] ? 0 : nats[odds.of] - nats[odds.against];
}

/** The points of one attribute: its values with their log odds. */
function scaleOf(position) {
  const attribute = attributes[position];
  const values = [...attribute.alternatives];
  const own = state.values[position];
  if (!values.includes(own)) values.push(own);
  const marks = values.map((value) => ({
    value, text: valueText(attribute, value), number: logOdds(position, value, state.values), isChosen: value === own,
  }));
  const finite = marks.map(({ number }) => number).filter(Number.isFinite);
  const range = Math.max(0, ...finite) - Math.min(0, ...finite);
  return { position, attribute, marks, finite, range: finite.length < marks.length ? Infinity : range };
}

function buildNomogram(panel) {
  const drawing = h("div", { class: "drawing" });
  const sums = h("tbody", {});
  const head = h("th", { scope: "col" });
  const of = choice(classes, 0, (code) => choose("of", code));
  const against = choice(classes, 1, (code) => choose("against", code));
  const unit = choice(["log odds (nats)", "points (100 for the longest)"], 0, (place) => { odds.inPoints = place === 1; draw(); });
  let isTouched = false;
  function choose(which, code) {
    isTouched = true;
    const other = which === "of" ? "against" : "of";
    if (odds[other] === code) odds[other] = odds[which];
    odds[which] = code;
    draw();
  }
  function draw() {
    of.value = String(odds.of);
    against.value = String(odds.against);
    const scales = attributes.map((_, position) => scaleOf(position)).filter(({ attribute }) => attribute.has_factor)
      .sort((one, other) => (other.range - one.range) || one.position - other.position);
    const longest = Math.max(...scales.flatMap(({ finite }) => finite.map(Math.abs)), 1e-9);
    const factor = odds.inPoints ? 100 / longest : 1;
    head.textContent = odds.inPoints ? "points" : "log odds";
    drawing.replaceChildren(drawNomogram(scales, factor, drawing.clientWidth || 640));
    sums.replaceChildren(...sumRows(scales, factor));
  }
  panel.append(
    h("p", { class: "intro" }, "How much each value speaks for one class against another. Lengths are log odds, so that they add up: ",
      "prior and chosen values together give the odds. Longer lines are attributes that can say more."),
    h("div", { class: "controls" },
      h("label", {}, "For", of), h("label", {}, "against", against), h("label", {}, "Scale", unit)),
    drawing,
    scroller("The sum of the log odds", h("table", { class: "sum" },
      h("caption", { class: "visually-hidden" }, "The sum of the log odds"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "evidence"), head)), sums)));
  new ResizeObserver(() => { if (drawing.clientWidth) draw(); }).observe(drawing);
  return () => {
    if (!isTouched) {
      const logs = logPosterior(state.values);
      odds.of = predicted(logs);
      odds.against = runnerUp(logs, odds.of);
    }
    draw();
  };
}

function sumRows(scales, factor) {
  const prior = logPrior();
  const start = prior[odds.of] - prior[odds.against];
  const rows = scales.map(({ position, attribute, marks }) =>
    [statement(attribute, state.values[position]), marks.find(({ isChosen }) => isChosen).number]);
  const total = rows.reduce((sum, [, number]) => sum + number, start);
  const row = (text, number, isTotal) => h("tr", { class: isTotal ? "total" : null },
    h("th", { scope: "row" }, text), h("td", { "data-log-odds": String(number) }, nats(number * factor)));
  return [
    row("class prior", start, false),
    ...rows.filter(([, number]) => number !== 0).map(([text, number]) => row(text, number, false)),
    row(`sum: ${classes[odds.of]} against ${classes[odds.against]}`, total, true),
  ];
}

function drawNomogram(scales, factor, width) {
  const isNarrow = width < 560;
  const longest = Math.max(...scales.map(({ attribute }) => attribute.name.length));
  const left = isNarrow ? 14 : Math.min(230, Math.max(90, 7.6 * longest + 40));
  const right = width - 18;
  const numbers = scales.flatMap(({ finite }) => finite);
  const low = Math.min(-0.5, ...numbers);
  const high = Math.max(0.5, ...numbers);
  const pad = (high - low) * 0.07;
  const across = (number) => left + ((Math.min(high + pad, Math.max(low - pad, number)) - low + pad) * (right - left)) / (high - low + 2 * pad);
  const height = isNarrow ? 78 : 50;
  const parts = [ruler(across, low, high, factor, width)];
  parts.push(svg("line", { class: "zero", x1: across(0), x2: across(0), y1: 30, y2: 44 + height * scales.length }));
  scales.forEach((scale, place) => parts.push(scaleRow(scale, across, 44 + height * place, isNarrow, left, [isNarrow ? 0 : left - 20, width])));
  const bottom = 44 + height * scales.length;
  parts.push(probabilityRuler(left, right, bottom + 30));
  const total = bottom + 84;
  return svg("svg", {
    class: "nomogram", width, height: total, viewBox: `0 0 ${width} ${total}`, role: "img",
    "aria-label": `Nomogram of ${classes[odds.of]} against ${classes[odds.against]}; the table below has its numbers`,
  }, parts);
}

function ruler(across, low, high, factor, width) {
  return ticks(low * factor, high * factor, width < 560 ? 5 : 9).map((tick) => {
    const x = across(tick / factor);
    return [svg("line", { class: "tick", x1: x, x2: x, y1: 22, y2: 30 }),
      svg("text", { x, y: 15, "text-anchor": "middle" }, signed(String(tick)))];
  });
}

function scaleRow(scale, across, top, isNarrow, left, bounds) {
  const y = top + (isNarrow ? 48 : 24);
  const places = scale.marks.map(({ number }) => across(number));
  const name = isNarrow
    ? svg("text", { class: "name", x: 0, y: top + 12 }, cut(scale.attribute.name, 42))
    : svg("text", { class: "name", x: left - 24, y: y + 4, "text-anchor": "end" }, cut(scale.attribute.name, Math.floor((left - 34) / 7.6)));
  const labels = placedLabels(scale.marks, places, isNarrow ? 18 : 20, bounds);
  const drawn = scale.marks.map((mark, i) => [mark, i]).sort(([one], [other]) => one.isChosen - other.isChosen);
  const marks = drawn.map(([mark, i]) => svg("circle", {
    class: mark.isChosen ? "mark chosen" : "mark", cx: places[i], cy: y, r: mark.isChosen ? 7 : 4.5,
    onclick: () => setValue(scale.position, mark.value),
  }, svg("title", {}, `${statement(scale.attribute, mark.value)}: ${nats(mark.number)} nats`)));
  return svg("g", {}, name,
    svg("line", { class: "scale", x1: Math.min(...places), x2: Math.max(...places), y1: y, y2: y }),
    labels.map(({ x, text, isChosen, isAbove }) => svg("text", {
      class: isChosen ? "label chosen" : "label", x, y: isAbove ? y - 11 : y + 20, "text-anchor": "middle" }, text)),
    marks);
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}\u2026` : text);

/** Labels above and below a line, the chosen one first; those without a place stay with the mark's title. */
function placedLabels(marks, places, most, [from, to]) {
  const taken = [];
  const order = marks.map((_, i) => i).sort((one, other) => marks[other].isChosen - marks[one].isChosen);
  const found = [];
  for (const i of order) {
    const infinite = Number.isFinite(marks[i].number) ? "" : ` (${short(marks[i].number)})`;
    const text = cut(marks[i].text, most) + infinite;
    const half = 3.6 * text.length + 4;
    const x = Math.min(to - half, Math.max(from + half, places[i]));
    const isAbove = [false, true].find((side) => taken.every(([start, end, other]) => other !== side || x + half < start || x - half > end));
    if (isAbove === undefined) continue;
    taken.push([x - half, x + half, isAbove]);
    found.push({ x, text, isChosen: marks[i].isChosen, isAbove });
  }
  return found;
}

/** Where the sum of the log odds lies, as a probability between the two classes. */
function probabilityRuler(left, right, y) {
  const joint = logJoint(state.values);
  const total = joint[odds.of] === joint[odds.against] ? 0 : joint[odds.of] - joint[odds.against];
  const most = Math.max(5, Number.isFinite(total) ? Math.abs(total) * 1.15 : 5);
  const across = (number) => left + ((Math.min(most, Math.max(-most, number)) + most) * (right - left)) / (2 * most);
  const shown = [0.0001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999].map((share) => [share, Math.log(share / (1 - share))])
    .filter(([, number]) => Math.abs(number) <= most && (most < 12 || ![0.1, 0.9].includes(number)));
  let last = -Infinity;
  return svg("g", {},
    svg("text", { class: "name", x: left, y: y - 12 }, `P(${cut(classes[odds.of], 20)}) between the two`),
    svg("line", { class: "scale", x1: left, x2: right, y1: y + 4, y2: y + 4 }),
    shown.map(([share, number]) => {
      const x = across(number);
      const fits = x - last > 34;
      if (fits) last = x;
      return [svg("line", { class: "tick", x1: x, x2: x, y1: y, y2: y + 8 }),
        fits && svg("text", { x, y: y + 26, "text-anchor": "middle" }, String(share))];
    }),
    svg("path", { class: "pointer", d: `M${across(total)} ${y + 1} l-7 -11 h14 z` }));
}
