// Changes of a case: the smallest that flips the prediction, and the best for a class.

const MOST_STEPS = 3;

/** All other values of all attributes that are not changed yet, as [position, value]. */
function variations(values, done) {
  const found = [];
  attributes.forEach((attribute, position) => {
    if (done.has(position)) return;
    for (const value of attribute.alternatives) {
      if (attribute.kind === "number" || value !== values[position]) found.push([position, value]);
    }
  });
  return found;
}

const withValue = (values, position, value) => values.map((old, place) => (place === position ? value : old));

/** As few changed attributes as possible, one at a time, each time the most telling one; null where none is found. */
function smallestChange(start) {
  const original = predicted(logPosterior(start));
  const done = new Set();
  let values = start;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    let flip = null;
    let lowest = null;
    for (const [position, value] of variations(values, done)) {
      const varied = withValue(values, position, value);
      const logs = logPosterior(varied);
      const code = predicted(logs);
      const candidate = { varied, position, code, top: Math.max(...logs), against: logs[original] };
      if (code !== original && (flip === null || candidate.top > flip.top)) flip = candidate;
      if (lowest === null || candidate.against < lowest.against) lowest = candidate;
    }
    if (flip) {
      const touched = attributes.map((_, position) => position).filter((position) => flip.varied[position] !== start[position]);
      return { values: flip.varied, touched, code: flip.code, logs: logPosterior(flip.varied) };
    }
    if (lowest === null) return null;
    values = lowest.varied;
    done.add(lowest.position);
  }
  return null;
}

/** For each attribute the value that makes a class most probable, the rest of the case as it is. */
function bestValues(start, code) {
  return byImportance.map((position) => {
    let best = { position, value: start[position], logs: logPosterior(start) };
    for (const value of attributes[position].alternatives) {
      const logs = logPosterior(withValue(start, position, value));
      if (logs[code] > best.logs[code]) best = { position, value, logs };
    }
    return best;
  });
}
