"""What every figure is: plain numbers with a name, a title and a description, that can be drawn and tabulated."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbframework.report.formats import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, kw_only=True)
class Chart(ABC):
    """Plain numbers and the figure that shows them.

    Parameters
    ----------
    name
        Of its files, without suffix: letters, digits, hyphens and dots.
    title
        One line.
    """

    name: str
    title: str

    @property
    @abstractmethod
    def description(self) -> str:
        """What is to be seen, for those who cannot see it and for the caption."""

    @abstractmethod
    def numbers(self) -> Table:
        """Return everything that is drawn, with all digits; an empty cell is undefined."""

    @abstractmethod
    def draw(self) -> "Figure":
        """Return the figure without its title; call it through `nbframework.report.figures.files` for the style."""


def digits(value: float | None) -> str:
    """Return a number with all its digits, nothing for None."""
    return "" if value is None else repr(float(value))
