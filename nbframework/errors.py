"""The errors of nbframework: a few kinds, each with a message that a user can act on."""

import contextlib
from collections.abc import Iterable, Iterator


class NBFrameworkError(Exception):
    """Any error that nbframework raises on purpose; its text is meant for the user."""


class DataError(NBFrameworkError):
    """A data set cannot be read, written or used as asked."""


class DataWarning(UserWarning):
    """Data are read in a way that the user may not have meant."""


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


@contextlib.contextmanager
def writing(path: object, kind: type[NBFrameworkError] = DataError) -> Iterator[None]:
    """Turn an error of the system, raised in the block, into one that says which file cannot be written and why.

    Parameters
    ----------
    path
        The file or folder as the user gave it.
    kind
        The error to raise.
    """
    try:
        yield
    except OSError as error:
        raise kind(f"{path}: cannot be written: {system_reason(error)}") from error


def system_reason(error: OSError) -> str:
    """Return why a call of the system failed, such as ``permission denied``."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


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
