"""The Bayesian signed-rank test: how probable it is that one method is practically better, or that they are equal."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from nbframework.errors import EvaluationError

SAMPLES = 50_000
_BLOCK = 2_000


@dataclass(frozen=True)
class SignedRankResult:
    """Probabilities that sum to 1.

    Parameters
    ----------
    first, equal, second
        That the first method is practically better, that neither is, and that the second is.
    rope
        Half-width of the region of practical equivalence.
    """

    first: float
    equal: float
    second: float
    rope: float


def bayesian_signed_rank(
    first: Any, second: Any, rope: float, generator: np.random.Generator, samples: int = SAMPLES
) -> SignedRankResult:
    """Compare two methods on many data sets.

    A Dirichlet process with strength 0.5 and its prior mass at no difference gives the weights w of the differences z;
    each draw asks which of z_i + z_j < -2 rope, in between, > 2 rope holds for most of the weight w_i w_j.

    Parameters
    ----------
    first, second
        (d,) mean scores on the same data sets, larger is better, d at least 2.
    rope
        Differences up to this are practically none, at least 0, in units of the scores.
    generator
        Source of the draws.
    samples
        Number of draws; the standard error of a probability is at most 0.5 / sqrt(samples).

    Raises
    ------
    EvaluationError
        On fewer than 2 data sets or scores that are missing or infinite.

    References
    ----------
    Benavoli, Corani, Demsar & Zaffalon (2017), Time for a change, JMLR 18, section 4.2.
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if differences.ndim != 1 or len(differences) < 2 or not np.isfinite(differences).all():
        raise EvaluationError(f"at least 2 pairs of finite scores are needed, found {differences.shape}")
    z = np.concatenate([[0.0], np.round(differences, 12)])
    sums = z[:, np.newaxis] + z
    better, worse = (sums > 2 * rope).astype(np.float64), (sums < -2 * rope).astype(np.float64)
    strength = np.concatenate([[0.5], np.ones(len(differences))])
    won = np.zeros(3)
    for done in range(0, samples, _BLOCK):
        weights = generator.dirichlet(strength, size=min(_BLOCK, samples - done))
        right = np.einsum("si,ij,sj->s", weights, better, weights, optimize=True)
        left = np.einsum("si,ij,sj->s", weights, worse, weights, optimize=True)
        shares = np.stack([right, 1.0 - right - left, left])
        # a tie of two regions counts half for each
        top = shares >= shares.max(axis=0) - 1e-12
        won += (top / top.sum(axis=0)).sum(axis=1)
    probability = won / samples
    return SignedRankResult(float(probability[0]), float(probability[1]), float(probability[2]), rope)
