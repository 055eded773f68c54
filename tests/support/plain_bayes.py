"""Naive Bayes in the plainest Python: dictionaries of counts, exact fractions, one row after the other.

It shares no code with the package, follows the formulas of the papers, and is slow.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

Smoothing = Callable[[int, int, int, int, Fraction], Fraction]
"""P(value | class) from N (value and class), n (class), k (values), m (rows) and P(class)."""


def laplace(f: Fraction) -> Smoothing:
    return lambda match, n, k, *_: (match + f) / (n + k * f)


def laplace_m(match: int, n: int, k: int, m: int, _: Fraction) -> Fraction:
    return (match + Fraction(1, m)) / (n + Fraction(k, m))


def m_estimate(match: int, n: int, k: int, _: int, __: Fraction) -> Fraction:
    return (match + Fraction(1, k)) / (n + 1)


def no_match(f: Fraction) -> Smoothing:
    return lambda match, n, _, m, __: Fraction(match, n) if match else f / m


def no_match_pc(match: int, n: int, _: int, m: int, p: Fraction) -> Fraction:
    return Fraction(match, n) if match else p / m


class PlainBayes:
    """Naive Bayes over nominal values without unknowns."""

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        classes: Sequence[int],
        values: Sequence[int],
        class_count: int,
        smoothing: Smoothing,
        prior_f: Fraction,
    ) -> None:
        self.class_count, self.values, self.smoothing, self.m = class_count, values, smoothing, len(rows)
        self.of_class = Counter(classes)
        self.match = Counter((j, value, c) for row, c in zip(rows, classes, strict=True) for j, value in enumerate(row))
        self.prior_f = prior_f

    def posterior(self, row: Sequence[int]) -> list[float]:
        joint = [self._joint(row, c) for c in range(self.class_count)]
        total = sum(joint)
        if not total:
            return [self.of_class[c] / self.m for c in range(self.class_count)]
        return [float(value / total) for value in joint]

    def _joint(self, row: Sequence[int], c: int) -> Fraction:
        n, m, f = self.of_class[c], self.m, self.prior_f
        joint = (n + f) / (m + self.class_count * f)
        for j, value in enumerate(row):
            joint *= self.smoothing(self.match[j, value, c], n, self.values[j], m, Fraction(n, m))
        return joint


# --- Fayyad and Irani's cut points


def n_log_n(counts: Iterable[int]) -> float:
    return sum(n * math.log(n) for n in counts if n)


def entropy_bits(counts: Sequence[int]) -> float:
    n = sum(counts)
    return (n * math.log(n) - n_log_n(counts)) / (n * math.log(2)) if n else 0.0


def entropy_cuts(
    values: Sequence[float], classes: Sequence[int], class_count: int, kononenko: bool = False, boundaries: bool = False
) -> list[float]:
    """Return the cut points of numbers in any order."""
    pairs = sorted(zip(values, classes, strict=True))
    return _cuts(pairs, class_count, kononenko, boundaries)


def _cuts(pairs: list[tuple[float, int]], class_count: int, kononenko: bool, boundaries: bool) -> list[float]:
    n = len(pairs)
    whole = [sum(c == k for _, c in pairs) for k in range(class_count)]
    best, best_at, candidates = entropy_bits(whole), None, 0
    left, right = [0] * class_count, list(whole)
    for i in range(n - 1):
        left[pairs[i][1]] += 1
        right[pairs[i][1]] -= 1
        if pairs[i][0] == pairs[i + 1][0]:
            continue
        candidates += 1
        s = n_log_n(left) - n_log_n([sum(left)]) + n_log_n(right) - n_log_n([sum(right)])
        after = -s / (n * math.log(2))
        if after < best - 1e-12:  # equally good up to rounding: the lower one stays
            best, best_at = after, i
    if best_at is None:
        return []
    left = [sum(c == k for _, c in pairs[: best_at + 1]) for k in range(class_count)]
    right = [w - part for w, part in zip(whole, left, strict=True)]
    trials = candidates if boundaries else n - 1
    accepted = _kononenko(whole, left, right, trials) if kononenko else _fayyad_irani(whole, left, right, trials)
    if not accepted:
        return []
    cut = (pairs[best_at][0] + pairs[best_at + 1][0]) / 2
    return [
        *_cuts(pairs[: best_at + 1], class_count, kononenko, boundaries),
        cut,
        *_cuts(pairs[best_at + 1 :], class_count, kononenko, boundaries),
    ]


def _fayyad_irani(whole: list[int], left: list[int], right: list[int], trials: int) -> bool:
    n = sum(whole)
    h, h1, h2 = entropy_bits(whole), entropy_bits(left), entropy_bits(right)
    k, k1, k2 = (sum(count > 0 for count in part) for part in (whole, left, right))
    gain = h - sum(left) / n * h1 - sum(right) / n * h2
    return gain > (math.log2(trials) + math.log2(3**k - 2) - (k * h - k1 * h1 - k2 * h2)) / n


def _kononenko(whole: list[int], left: list[int], right: list[int], trials: int) -> bool:
    k = sum(count > 0 for count in whole)

    def bits(part: list[int]) -> float:
        arrangements = math.factorial(sum(part))
        for count in part:
            arrangements //= math.factorial(count)
        return math.log2(math.comb(sum(part) + k - 1, k - 1)) + math.log2(arrangements)

    return bits(whole) > math.log2(trials) + bits(left) + bits(right)


# --- Weka's densities


def normal_below(z: float) -> float:
    """The standard normal distribution function, with the tails as the Cephes library has them."""
    x = z * math.sqrt(0.5)
    if abs(x) < math.sqrt(0.5):
        return 0.5 + 0.5 * math.erf(x)
    tail = 0.5 * math.erfc(abs(x))
    return 1.0 - tail if x > 0 else tail


def weka_step(values: Sequence[float]) -> float:
    distinct = sorted(set(values))
    return sum(b - a for a, b in itertools.pairwise(distinct)) / (len(distinct) - 1)


def weka_gaussian(values: Sequence[float], of_class: Sequence[float], query: float) -> float:
    """Return the likelihood of a query by the values of its class; ``values`` are those of all classes."""
    step = weka_step(values)
    z = [round(value / step) * step for value in of_class]
    mean = sum(z) / len(z)
    deviation = max(math.sqrt(abs(sum(v * v for v in z) - mean * sum(z)) / len(z)), step / 6)
    x = round(query / step) * step
    mass = normal_below((x - mean + step / 2) / deviation) - normal_below((x - mean - step / 2) / deviation)
    return max(mass, 1e-75)


def weka_kernel(values: Sequence[float], of_class: Sequence[float], query: float) -> float:
    """Return the likelihood of a query by Weka 3.6.14's kernel estimator."""
    step = max(weka_step(values), 1e-6)
    weight = Counter(round(value / step) * step for value in of_class)
    centres = sorted(weight)
    n = len(of_class)
    width = max((centres[-1] - centres[0]) / math.sqrt(n), step / 6)
    total = seen = 0.0
    upwards = [c for c in centres if c >= query]
    downwards = [c for c in reversed(centres) if c < query]
    for direction in (upwards, downwards):
        for centre in direction:
            d = centre - query
            q = normal_below((d + step / 2) / width) - normal_below((d - step / 2) / width)
            total += q * weight[centre]
            seen += weight[centre]
            if q * (n - seen) < 0.01 * total:
                break
    return max(total / n, 1e-75)
