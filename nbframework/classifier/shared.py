"""What recipes that go side by side through the folds of one data set compute once for all of them."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class SharedWork:
    """A memory for one data set: some results are kept for good, others until the next fold.

    Keys are made of the parts that decide a result, which compare by their parameters; so two recipes with the same
    discretizer share its cut points, and with the same missing policy their counts, too. Recipes share only where
    they go through the folds side by side, one at a time or in the same groups.
    """

    def __init__(self) -> None:
        self._of_data: dict[Hashable, Any] = {}
        self._of_fold: dict[Hashable, Any] = {}
        self._fold: int | None = None
        self._numbers: dict[Hashable, int] = {}

    def number_of(self, key: Hashable) -> int:
        """Return a number that equal keys have in common: parts take long to hash."""
        return self._numbers.setdefault(key, len(self._numbers))

    def of_data(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` gave for this key and data set."""
        if key not in self._of_data:
            self._of_data[key] = make()
        return self._of_data[key]  # type: ignore[no-any-return]  # every key has results of one type

    def of_fold(self, fold: int, key: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` gave for this key in this fold; results of another fold are forgotten."""
        if fold != self._fold:
            self._of_fold.clear()
            self._fold = fold
        if key not in self._of_fold:
            self._of_fold[key] = make()
        return self._of_fold[key]  # type: ignore[no-any-return]  # every key has results of one type
