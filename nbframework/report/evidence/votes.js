// A vote of all training rows: each class weighs the sum of its rows' powers.

const { vote } = model;
state.parameter = { vote: vote.value, prior: model.prior.value };
state.example = 0;

/** (C) logs of the sums of w e^(-t b) over the rows of each class, with what the class prior adds. */
function logSums(example, t) {
  const top = classes.map(() => -Infinity);
  for (const [log, code, weight] of example.near) top[code] = Math.max(top[code], Math.log(weight) - t * log);
  const sums = classes.map(() => 0);
  for (const [log, code, weight] of example.near) sums[code] += Math.exp(Math.log(weight) - t * log - top[code]);
  return classes.map((_, code) => (sums[code] ? top[code] + Math.log(sums[code]) + vote.log_share[code] : -Infinity));
}

function logTotal(logs) {
  const top = Math.max(...logs);
  return top === -Infinity ? top : top + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - top), 0));
}

/** (C) log posteriors under a power. */
function votesPosterior(example, t) {
  const sums = logSums(example, t);
  const rows = vote.rows.reduce((total, weight) => total + weight, 0);
  const scale = Math.log(rows) - logTotal(sums);
  const { prior } = model;
  const added = state.parameter.prior * prior.added;
  const logs = sums.map((log, code) => {
    if (!prior.known[code]) return -Infinity;
    return added === 0 ? log + scale : Math.log(Math.exp(log + scale) + added);
  });
  return normalised(model.log_shift ? logs.map((log, code) => log + model.log_shift[code]) : logs);
}

const currentPosterior = () => votesPosterior(model.examples[state.example], state.parameter.vote);
