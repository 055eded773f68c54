// Numbers as people read them.

const MINUS = "\u2212";
const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const signed = (text) => text.replace("-", MINUS);

const count = (number) => grouped.format(number);

/** A share as percent, never rounded to 0 or 100 unless it is. */
function percent(share) {
  if (share === 0 || share === 1) return `${100 * share} %`;
  const value = 100 * share;
  if (value > 99) {
    const digits = Math.ceil(-Math.log10(1 - share)) - 1;
    if (digits > 6) return "> 99.9999 %";
    return `${Math.min(Number(value.toFixed(digits)), 100 - 10 ** -digits).toFixed(digits)} %`;
  }
  if (value >= 1) return `${value.toFixed(1)} %`;
  return value >= 1e-4 ? `${Number(value.toPrecision(2))} %` : `${scientific(value)} %`;
}

/** One of several posteriors: 100 % only where all others are exactly 0. */
const posteriorText = (logs, code) =>
  percent(logs.every((log, other) => other === code || log === -Infinity) ? Math.exp(logs[code]) : Math.min(Math.exp(logs[code]), 1 - 1e-12));

const shortPercent = (share) =>
  share === 0 || share === 1 ? `${100 * share}%` : share < 0.01 ? "<1%" : share > 0.99 ? ">99%" : `${Math.round(100 * share)}%`;

const SUPERSCRIPT = { "-": "\u207b", 0: "\u2070", 1: "\u00b9", 2: "\u00b2", 3: "\u00b3", 4: "\u2074", 5: "\u2075", 6: "\u2076", 7: "\u2077", 8: "\u2078", 9: "\u2079" };

function scientific(number) {
  const [digits, power] = number.toExponential(2).split("e");
  return `${signed(digits)} \u00d7 10${[...power.replace("+", "")].map((sign) => SUPERSCRIPT[sign]).join("")}`;
}

/** A number with four significant digits. */
function short(number) {
  if (!Number.isFinite(number)) return number < 0 ? `${MINUS}\u221e` : "\u221e";
  if (number === 0) return "0";
  const size = Math.abs(number);
  return size < 1e-4 || size >= 1e7 ? scientific(number) : signed(String(Number(number.toPrecision(4))));
}

/** e to the power of a logarithm, however small. */
function exponential(logarithm) {
  if (logarithm === -Infinity) return "0";
  if (logarithm > -700 && logarithm < 700) return short(Math.exp(logarithm));
  const tens = logarithm / Math.LN10;
  const power = Math.floor(tens);
  const raised = [...String(power)].map((sign) => SUPERSCRIPT[sign]).join("");
  return `${(10 ** (tens - power)).toFixed(2)} \u00d7 10${raised}`;
}

const nats = (number) => (Number.isFinite(number) ? signed(number.toFixed(2)) : short(number));

/** About as many round numbers as wanted between two. */
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) found.push(Number(tick.toPrecision(10)));
  return found;
}
