"""Which of several scores are the best."""

import math

import pytest

from nbframework.evaluation.scores import best_of


@pytest.mark.parametrize(
    ("scores", "higher_is_better", "best"),
    [
        ((0.2, 0.5, 0.4), True, (False, True, False)),
        ((0.2, 0.5, 0.4), False, (True, False, False)),
        ((0.9773584905660377, 0.9773584905660378), True, (True, True)),
        ((0.5, 0.5 - 1e-9), True, (True, False)),
        ((math.inf, math.inf, None), False, (True, True, False)),
        ((math.nan, 0.5, 0.5), True, (False, True, True)),
        ((None, 0.5, math.nan), True, (False, False, False)),
    ],
)
def test_the_best_scores_are_those_within_rounding_of_the_first_of_at_least_two(scores, higher_is_better, best):
    assert best_of(scores, higher_is_better) == best
