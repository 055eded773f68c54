"""The errors of nbframework: a few kinds, each with a message that a user can act on."""

from collections.abc import Iterable


class NBFrameworkError(Exception):
    """Any error that nbframework raises on purpose; its text is meant for the user."""


class DataError(NBFrameworkError):
    """A data set cannot be read, written or used as asked."""


class ARFFError(DataError):
    """An ARFF file breaks the format at a known place.

    Parameters
    ----------
    source
        File name as the user gave it.
    line, column
        Place of the fault, both counted from 1; None where a place makes no sense.
    message
        What was found and what was expected.
    """

    def __init__(self, source: str, line: int | None, column: int | None, message: str) -> None:
        self.source, self.line, self.column, self.message = source, line, column, message
        place = ":".join(str(part) for part in (source, line, column) if part is not None)
        super().__init__(f"{place}: {message}")


class RecipeError(NBFrameworkError):
    """A recipe, suite, study or override is invalid; the text lists every fault that was found."""


class PluginError(NBFrameworkError):
    """A plugin is missing, broken, blocked or in conflict with another one."""


class UnknownPartError(PluginError):
    """No installed plugin provides a part of the name that was asked for."""


class EvaluationError(NBFrameworkError):
    """A classifier cannot be fitted or evaluated on the data as asked."""


class WrongTypeError(NBFrameworkError, TypeError):
    """A function was called with an argument of another type than it takes."""


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest of the choices, or an empty string.

    Parameters
    ----------
    name
        What was found.
    choices
        The names that would have been right.
    """
    import difflib  # only a mistake needs it

    near = difflib.get_close_matches(str(name), [str(choice) for choice in choices], n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
