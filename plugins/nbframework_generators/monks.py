"""Generator monks: the three MONK's problems, logical rules over six attributes of robots."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Attribute, DataGenerator, Dataset, Ge, Le, hookimpl

SIZES = (3, 3, 2, 3, 4, 2)
ROBOTS = np.indices(SIZES).reshape(len(SIZES), -1).T + 1
"""(432, 6) all combinations of the values 1, 2, ... of the attributes, the last one running fastest."""


@dataclass(frozen=True, kw_only=True)
class Monks(DataGenerator):
    """List all 432 robots, or draw some of them, and tell the class of each by a rule.

    The class is 1 in problem 1 where a1 = a2 or a5 = 1; in problem 2 where exactly two attributes have their first
    value; in problem 3 where a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3.

    Parameters
    ----------
    problem
        1, 2 or 3.
    rows
        The size of a random sample without replacement; None takes all robots in order. The published training sets
        have 124, 169 and 122 rows.
    noise
        The probability that a class is wrong; the published training set of problem 3 has 0.05.

    References
    ----------
    Thrun et al. (1991), The MONK's Problems: A Performance Comparison of Different Learning Algorithms.
    """

    name: ClassVar[str] = "monks"
    cite: ClassVar[str] = "Thrun et al. 1991"
    problem: Annotated[int, Ge(1), Le(3)] = 1
    rows: Annotated[int, Ge(1), Le(len(ROBOTS))] | None = None
    noise: Annotated[float, Ge(0), Le(1)] = 0.0

    def generate(self, generator: np.random.Generator) -> Dataset:
        """Return the rows: attributes a1 to a6 and the class 0 or 1."""
        robots = ROBOTS if self.rows is None else generator.choice(ROBOTS, self.rows, replace=False)
        classes = truth(self.problem, robots) ^ (generator.random(len(robots)) < self.noise)
        attributes = [
            Attribute.nominal(f"a{i}", [str(value) for value in range(1, size + 1)]) for i, size in enumerate(SIZES, 1)
        ]
        attributes.append(Attribute.nominal("class", ["0", "1"]))
        columns = [*(robots.T - 1), classes.astype(np.uint8)]
        return Dataset.from_columns(attributes, columns, name=f"monks-{self.problem}")


def truth(problem: int, robots: NDArray[Any]) -> NDArray[np.bool_]:
    """Return (n,) whether the rule of a problem holds.

    Parameters
    ----------
    problem
        1, 2 or 3.
    robots
        (n, 6) values, counted from 1.
    """
    a1, a2, _, a4, a5, _ = robots.T
    if problem == 1:
        return np.asarray((a1 == a2) | (a5 == 1))
    if problem == 2:
        return np.asarray((robots == 1).sum(axis=1) == 2)
    return np.asarray(((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3)))


@hookimpl
def nbframework_generators() -> list[type[DataGenerator]]:
    """Register the generator."""
    return [Monks]
