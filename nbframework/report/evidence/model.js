// The classifier: the same numbers as in Python, from the same counts.

const { attributes } = model;
state.parameter = { estimator: model.estimator.value, prior: model.prior.value };

const unknownValue = (attribute) => (attribute.kind === "number" ? null : attribute.labels.length + 1);
const unknownCase = () => attributes.map(unknownValue);
state.values = unknownCase();

function setValue(position, value) {
  state.values[position] = value;
  changed("case");
}

function setCase(values) {
  state.values = [...values];
  changed("case");
}

/** The words for a value of an attribute. */
function valueText(attribute, value) {
  if (attribute.kind === "number") return value === null ? "unknown" : short(value);
  if (value < attribute.labels.length) return attribute.labels[value];
  return value === attribute.labels.length ? "a value never seen" : "unknown";
}
const isUnknown = (attribute, value) => value === unknownValue(attribute);

/** "name = value", or an interval as it is. */
function statement(attribute, value) {
  if (attribute.kind === "intervals" && value < attribute.labels.length && attribute.labels[value].includes("x")) {
    return `${attribute.name}: ${attribute.labels[value]}`;
  }
  return `${attribute.name} = ${valueText(attribute, value)}`;
}

/** (N + t a) / (n + t b), and what replaces it where N is 0: the two numbers of a fraction, or one number. */
function fractionOf(attribute, value, code) {
  const t = state.parameter.estimator;
  const { replacements, most } = model.estimator;
  const n = attribute.counts[value][code];
  if (replacements && n === 0) {
    return { replaced: Math.min(t * replacements[code], most === null ? Infinity : most) };
  }
  const numerator = replacements ? n : n + t * attribute.added[value];
  const denominator = replacements ? attribute.known[code] : attribute.known[code] + t * attribute.total;
  return denominator === 0 ? { uniform: attribute.size } : { numerator, denominator };
}

function logOfFraction(fraction) {
  if ("replaced" in fraction) return Math.log(fraction.replaced);
  if ("uniform" in fraction) return -Math.log(fraction.uniform);
  return Math.log(fraction.numerator) - Math.log(fraction.denominator);
}

/** The place of the parents' values in the attribute's table. */
const combination = (attribute, values) =>
  attribute.parents.reduce((place, parent) => place * attributes[parent].counts.length + values[parent], 0);

function logDensity(density, x, code) {
  if (density.form === "gaussian") {
    const mean = density.mean[code];
    const variance = density.variance[code];
    if (variance === null) return 0;
    if (variance === 0) return x === mean ? 0 : -Infinity;
    const distance = (x - mean) / Math.sqrt(variance);
    return -0.5 * (Math.log(2 * Math.PI * variance) + distance * distance);
  }
  if (density.form === "counts") return x === 0 ? 0 : x * logOf(density.log_share[code]);
  if (density.form === "threshold") {
    return logOf((x > density.threshold ? density.log_above : density.log_below)[code]);
  }
  return logOf(density.log[nearest(density.points, x)][code]);
}

function nearest(points, x) {
  let best = 0;
  points.forEach((point, place) => {
    if (Math.abs(point - x) < Math.abs(points[best] - x)) best = place;
  });
  return best;
}

/** The log factor of an attribute by class, without its exponent. */
function logFactor(position, value, values) {
  const attribute = attributes[position];
  if (attribute.kind === "number") {
    return classes.map((_, code) => (value === null || !attribute.has_factor ? 0 : logDensity(attribute.density, value, code)));
  }
  if (attribute.log) return attribute.log[combination(attribute, values)][value].map(logOf);
  if (attribute.left_out[value]) return classes.map(() => 0);
  return classes.map((_, code) => logOfFraction(fractionOf(attribute, value, code)));
}

/** What an attribute adds to each class, in nats. */
const contribution = (position, value, values) =>
  logFactor(position, value, values).map((log, code) => {
    const exponent = attributes[position].exponent[code];
    return exponent === 0 ? 0 : exponent * log;
  });

function estimatedPrior() {
  const { prior } = model;
  if (prior.formula === null || (prior.is_estimators && model.estimator.formula === null)) return prior.log.map(logOf);
  const t = prior.is_estimators ? state.parameter.estimator : state.parameter.prior;
  const total = prior.weight.reduce((sum, weight, code) => sum + (prior.known[code] ? weight : 0), 0) + t * prior.total;
  return prior.weight.map((weight, code) =>
    prior.known[code] ? Math.log(weight + t * prior.added) - Math.log(total) : -Infinity);
}

/** The log prior by class; a class of minus infinity is ruled out. */
function logPrior() {
  const given = decision.given_priors;
  return estimatedPrior().map((log, code) => (given && log !== -Infinity ? Math.log(given[code]) : log));
}

/** The log joint probabilities of a case, up to nothing. */
function logJoint(values) {
  const total = logPrior();
  attributes.forEach((_, position) => {
    contribution(position, values[position], values).forEach((nats, code) => { total[code] += nats; });
  });
  return total;
}

const logPosterior = (values) => normalised(logJoint(values));
const currentPosterior = () => logPosterior(state.values);

const ruledOut = () => logPrior().map((log) => log === -Infinity);

/** What one value alone would say, from equal priors: a share for each class but those that the prior rules out. */
function shares(position, value, values) {
  const isOut = ruledOut();
  const nats = contribution(position, value, values).map((number, code) => (isOut[code] ? -Infinity : number));
  const top = Math.max(...nats);
  if (top === -Infinity) return nats.map(() => 0);
  const raised = nats.map((number) => Math.exp(number - top));
  const sum = raised.reduce((total, number) => total + number, 0);
  return raised.map((number) => number / sum);
}

const hasTables = attributes.some(({ kind, has_factor }) => kind !== "number" && has_factor);

/** The attributes' positions, the most telling first; those without counts keep the order of the file. */
const byImportance = attributes
  .map((_, position) => position)
  .sort((one, other) => (attributes[other].importance ?? -1) - (attributes[one].importance ?? -1) || one - other);
