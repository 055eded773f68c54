// What all programs of a page share: the model, what is shown of it, and how classes are chosen.

const model = JSON.parse(byId("model").textContent);
const { classes, decision } = model;
const logOf = (number) => (number === null ? -Infinity : number);

/** What is shown: a value for each attribute (the number of a choice, or a number, null unknown) and the parameters. */
const state = { values: [], parameter: {} };
const listeners = [];
const whenChanged = (listener) => listeners.push(listener);
/** Tells everybody what changed: "case" or "parameters". */
const changed = (what) => listeners.forEach((listener) => listener(what));

const exampleText = (example) =>
  `row ${example.row}${example.class === null ? "" : ` \u2013 ${classes[example.class]}`}`;

/** Log numbers to logs that sum to 1; where all are impossible, the class frequencies. */
function normalised(logs) {
  const top = Math.max(...logs);
  if (top === -Infinity) {
    const total = decision.frequencies.reduce((sum, weight) => sum + weight, 0);
    return decision.frequencies.map((weight) => Math.log(weight / total));
  }
  const shifted = logs.map((log) => log - top);
  const sum = Math.log(shifted.reduce((total, log) => total + Math.exp(log), 0));
  return shifted.map((log) => log - sum);
}

/** The class that log posteriors predict, under the recipe's costs, thresholds and rule for ties. */
function predicted(logs) {
  let scores = logs;
  if (decision.costs) {
    const largest = Math.max(...decision.costs.flat()) || 1;
    scores = classes.map((_, code) =>
      -logs.reduce((sum, log, truth) => sum + Math.exp(log) * decision.costs[truth][code], 0) / largest);
  } else if (decision.log_thresholds) scores = logs.map((log, code) => log - decision.log_thresholds[code]);
  const order = classes.map((_, code) => code);
  if (decision.ties === "larger-class") {
    order.sort((one, other) => decision.class_weight[other] - decision.class_weight[one] || one - other);
  }
  const least = Math.max(...scores) - decision.tolerance;
  return order.find((code) => scores[code] >= least);
}

/** The most probable class but one. */
const runnerUp = (logs, winner) => logs.reduce((best, log, code) =>
  (code !== winner && (best === null || log > logs[best]) ? code : best), null) ?? winner;
