"""Promises asked of parts, one check each."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from nbframework.data.dataset import Dataset
from nbframework.parts import Part
from nbframework.parts.base import parameters
from nbframework.plugins import installed
from nbframework.testing.promises import PROMISES
from nbframework.testing.shrinking import smallest


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a check found.

    Parameters
    ----------
    status
        kept; declared: the part says why it breaks the promise, and was not asked; broken.
    reason
        The declared reason, or what went wrong; empty for a kept promise.
    example
        A small data set on which the promise is broken, or None.
    """

    status: Literal["kept", "declared", "broken"]
    reason: str = ""
    example: Dataset | None = None


@dataclass(frozen=True, eq=False)
class Check:
    """One promise of one part; calling it raises AssertionError where the promise is broken.

    Parameters
    ----------
    part
        The configured part.
    promise
        Its name in `PROMISES`.
    excuse
        The part's declared reason to break the promise, or None.
    """

    part: Part
    promise: str
    excuse: str | None

    def __call__(self) -> None:
        """Run the check; a declared exception is not run."""
        if self.excuse is None:
            promise = PROMISES[self.promise]
            promise.holds(self.part, promise.data(self.part))

    def outcome(self) -> Outcome:
        """Run the check and seek a small example where the promise is broken."""
        if self.excuse is not None:
            return Outcome("declared", self.excuse)
        promise = PROMISES[self.promise]
        try:
            data = promise.data(self.part)
            promise.holds(self.part, data)
        except Exception as error:  # whatever a stranger's part raises breaks the promise
            if not promise.shrinks:
                return Outcome("broken", _words(error))
            return self._example(data, error)
        return Outcome("kept")

    def _example(self, data: Dataset, error: Exception) -> Outcome:
        errors = [error]

        def fails(smaller: Dataset) -> bool:
            try:
                PROMISES[self.promise].holds(self.part, smaller)
            except Exception as another:  # see outcome
                if type(another) is type(error):
                    errors.append(another)
                    return True
            return False

        # the last data set that fails is the smallest one, and the last error speaks of it
        example = smallest(data, fails)
        return Outcome("broken", _words(errors[-1]), example)

    def __str__(self) -> str:
        return f"{self.part.kind}-{self.part.name}-{self.promise}"


def _words(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, AssertionError) and text else f"{type(error).__name__}: {text}"


def checks_of(part: Part) -> list[Check]:
    """Return the checks for a configured part; those that it declares in ``exceptions`` carry the reason.

    Raises
    ------
    AssertionError
        Where it declares an exception from a promise that it does not make.
    """
    names = [name for name, promise in PROMISES.items() if promise.applies(part)]
    strange = sorted(set(part.exceptions) - set(names))
    assert not strange, f"{part.kind} {part.name!r} declares exceptions from {strange}; its promises are {names}"
    return [Check(part, name, part.exceptions.get(name)) for name in names]


def all_checks() -> Iterator[Check]:
    """Yield the checks of every installed part that has no required parameter."""
    plugins = installed()
    plugins.load_all()
    for registration in plugins.registry:
        if all(parameter.default is not dataclasses.MISSING for parameter in parameters(registration.part)):
            yield from checks_of(registration.part())
