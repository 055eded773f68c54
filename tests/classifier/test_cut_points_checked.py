"""What a discretizer returns is looked at before values are encoded by it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from support.builders import fitted, table

from nbframework import EvaluationError, Recipe, evaluate
from nbframework.authoring import Discretizer

ROWS = table("x numeric; class {a,b}", "; ".join(f"{number} {'ab'[number % 2]}" for number in range(8)))
MANY = np.arange(40.0)


def returning(cuts) -> Recipe:
    """Return a recipe whose discretizer finds these cut points, whatever the values."""

    @dataclass(frozen=True, kw_only=True)
    class Given(Discretizer):
        name: ClassVar[str] = "given"

        def fit(self, values, classes, weights):
            return cuts

    return Recipe(discretizer=Given())


@pytest.mark.parametrize(
    "cuts",
    [
        [np.nan],
        [np.inf],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, np.nan],
        [np.nan, 1.0],
        [1.0, np.inf],
        [-np.inf, 1.0],
        [1.0, np.nan, 2.0],
        MANY[::-1],
        np.append(MANY, np.inf),
        np.append(MANY, 39.0),
        np.zeros((2, 2)),
        1.0,
    ],
)
def test_cut_points_have_to_be_finite_and_ascending(cuts):
    with pytest.raises(EvaluationError, match=r"(?s)^discretizer 'given' returned .*; expected finite, strictly"):
        fitted(returning(cuts), ROWS)
    with pytest.raises(EvaluationError, match="fold 1: discretizer 'given' returned"):
        evaluate(returning(cuts), ROWS, folds=2)


@pytest.mark.parametrize("cuts", [[], [1.5], [1.5, 3.5], [1, 3], MANY])
def test_any_sequence_of_ascending_numbers_will_do(cuts):
    model = fitted(returning(cuts), ROWS)
    assert model.model.encoder.cuts[0].tolist() == list(cuts)
    assert evaluate(returning(cuts), ROWS, folds=2).scores(["error"])["error"] is not None
