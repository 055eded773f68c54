"""Generator tic-tac-toe: all boards on which a game may end."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Attribute, DataGenerator, Dataset, hookimpl

VALUES = ("b", "o", "x")
BLANK, NOUGHT, CROSS = range(3)
SQUARES = tuple(
    f"{row}-{column}-square" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")
)
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
"""(8, 3) squares of each three in a row."""


@dataclass(frozen=True, kw_only=True)
class TicTacToe(DataGenerator):
    """List the 958 boards on which a game that x began may end; the class is positive where x has won.

    References
    ----------
    Aha (1991), Incremental constructive induction: an instance-based approach, and the data set he gave to the UCI
    repository.
    """

    name: ClassVar[str] = "tic-tac-toe"
    cite: ClassVar[str] = "Aha 1991"

    def generate(self, generator: np.random.Generator) -> Dataset:
        """Return the boards, those won by x first; nothing is drawn at random."""
        del generator
        boards, x_wins = final_boards()
        order = np.argsort(~x_wins, kind="stable")
        attributes = [Attribute.nominal(square, VALUES) for square in SQUARES]
        attributes.append(Attribute.nominal("Class", ["negative", "positive"]))
        columns = [*boards[order].T, x_wins[order].astype(np.uint8)]
        return Dataset.from_columns(attributes, columns, name=self.name)


def final_boards() -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the (958, 9) value codes of the boards that end a game, and whether x has won each.

    A board ends a game where the last move made three in a row or filled the board. So exactly the winner, if any,
    has three in a row, and x has one square more than o unless o moved last.
    """
    boards = np.indices((len(VALUES),) * len(SQUARES)).reshape(len(SQUARES), -1).T[::-1]
    lead = (boards == CROSS).sum(axis=1) - (boards == NOUGHT).sum(axis=1)
    x_wins, o_wins = ((boards[:, LINES] == player).all(axis=2).any(axis=1) for player in (CROSS, NOUGHT))
    full = (boards != BLANK).all(axis=1)
    won_by_x = x_wins & ~o_wins & (lead == 1)
    won_by_o = o_wins & ~x_wins & (lead == 0)
    drawn = full & ~x_wins & ~o_wins & (lead == 1)
    final = won_by_x | won_by_o | drawn
    return boards[final], won_by_x[final]


@hookimpl
def nbframework_generators() -> list[type[DataGenerator]]:
    """Register the generator."""
    return [TicTacToe]
