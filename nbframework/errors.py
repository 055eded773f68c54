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

    A choice that what was found begins or abbreviates is nearer than one that is spelt like it; case does not count.

    Parameters
    ----------
    name
        What was found.
    choices
        The names that would have been right.
    """
    import difflib  # only a mistake needs it

    found, known = str(name).casefold(), {str(choice).casefold(): str(choice) for choice in choices}
    near = [found] if found in known else _shortened_to(found, known)
    near = near or difflib.get_close_matches(found, known, n=1, cutoff=0.6)
    return f"; did you mean {known[near[0]]!r}?" if near else ""


def _shortened_to(short: str, names: Iterable[str]) -> list[str]:
    """Return the names that ``short`` begins, else those that it abbreviates, the shortest first; few letters say none.

    ``bal-acc`` and ``balacc`` abbreviate ``balanced-accuracy``: they are the beginnings of its words.
    """
    letters = "".join(_words(short))
    if len(letters) < 2:
        return []
    several = list(names)
    begun = [name for name in several if name.startswith(short)]
    return sorted(begun or [name for name in several if _begins_words(letters, _words(name))], key=len)


def _words(name: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in name).split()


def _begins_words(letters: str, words: list[str]) -> bool:
    """Return whether letters are beginnings of the first words, one after the other."""
    if not letters:
        return True
    return bool(words) and any(
        words[0].startswith(letters[:size]) and _begins_words(letters[size:], words[1:])
        for size in range(1, min(len(letters), len(words[0])) + 1)
    )
