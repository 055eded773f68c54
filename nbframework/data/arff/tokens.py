"""The tokens of one line of an ARFF document, each with its place for error messages."""

import math
import re
from typing import NamedTuple

from nbframework.errors import ARFFError

_BLANKS = re.compile(r"[ \t]*")
_WORD = re.compile(r"[^\x00-\x20,{}'\"%]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f]")
# Every repetition is possessive or starts with a distinct character: no input makes the match backtrack.
_QUOTED = {
    mark: re.compile(rf"{mark}((?:[^{mark}\\\x00-\x08\x0a-\x1f]++|\\[^\x00-\x08\x0a-\x1f])*+){mark}") for mark in "'\""
}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-3][0-7]{0,2}|[4-7][0-7]?|.)")
_CONTROL_OF_LETTER = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SHOWN = 40


class Token(NamedTuple):
    """A word or a quoted text, its escapes resolved, and where on the line it starts."""

    text: str
    quoted: bool
    position: int

    @property
    def missing(self) -> bool:
        """Whether this is the bare question mark of a missing value."""
        return self.text == "?" and not self.quoted


def parse_number(text: str) -> float | None:
    """Return the value of a decimal number, None where the text is no such number (infinite where too large)."""
    return float(text) if _NUMBER.fullmatch(text) else None


def is_plain_word(text: str) -> bool:
    """Whether a text stands for itself without quotes, and is not the sign of a missing value."""
    return text != "?" and _WORD.fullmatch(text) is not None


def shown(text: str) -> str:
    """Return a text in quotes for a message, shortened where it is long."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "u" and len(code) == 5:
        return chr(int(code[1:], 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _CONTROL_OF_LETTER.get(code, code)


class Scanner:
    """A cursor over one line.

    Parameters
    ----------
    source
        File name for error messages.
    line
        Number of the line, from 1.
    text
        The line, or its end.
    column
        The number of characters of the line that stand before ``text``.
    """

    __slots__ = ("column", "line", "position", "source", "text")

    def __init__(self, source: str, line: int, text: str, column: int = 0) -> None:
        self.source, self.line, self.text, self.column = source, line, text, column
        self.position = 0

    def error(self, message: str, position: int | None = None) -> ARFFError:
        """Return the error for a position of this line, by default the cursor's."""
        place = self.position if position is None else position
        return ARFFError(self.source, self.line, self.column + place + 1, message)

    def peek(self) -> str:
        """Skip blanks and return the next character, an empty text at the end of the line or a comment."""
        self.position = _BLANKS.match(self.text, self.position).end()  # type: ignore[union-attr]  # no blank matches, too
        character = self.text[self.position : self.position + 1]
        return "" if character == "%" else character

    def take(self, mark: str) -> bool:
        """Step over the mark where it comes next, and return whether it did."""
        if self.peek() != mark:
            return False
        self.position += 1
        return True

    def rest(self) -> str:
        """Return what is left of the line, without a comment or blanks at its ends."""
        return self.text[self.position :].partition("%")[0].strip(" \t")

    def found(self) -> str:
        """Describe what comes next, for the first half of a message."""
        character = self.peek()
        if not character:
            return "found the end of the line"
        if character < " ":
            return f"found the control character U+{ord(character):04X}"
        word = _WORD.match(self.text, self.position)
        return f"found {shown(word[0] if word else character)}"

    def expect(self, mark: str, expected: str) -> None:
        """Step over the mark or raise an error that tells what was expected."""
        if not self.take(mark):
            raise self.error(f"{self.found()}, expected {expected}")

    def expect_end(self, expected: str) -> None:
        """Raise an error unless only blanks and a comment are left."""
        if self.peek():
            raise self.error(f"{self.found()}, expected {expected}")

    def value(self, expected: str) -> Token:
        """Read a word or a quoted text; ``expected`` names it in the message of the error."""
        mark = self.peek()
        start = self.position
        if mark in _QUOTED:
            return self._quoted(mark, start)
        word = _WORD.match(self.text, start)
        if word is None or not mark:
            raise self.error(f"{self.found()}, expected {expected}")
        self.position = word.end()
        following = self.text[self.position : self.position + 1]
        if following and following in "%'\"":
            raise self.error(
                f"found {following} behind {shown(word[0])}, expected {expected}; "
                f"a value that contains {following} has to be quoted"
            )
        return Token(word[0], False, start)

    def _quoted(self, mark: str, start: int) -> Token:
        match = _QUOTED[mark].match(self.text, start)
        if match is not None:
            self.position = match.end()
            text = match[1]
            return Token(_ESCAPE.sub(_unescape, text) if "\\" in text else text, True, start)
        control = _CONTROL.search(self.text, start)
        if control is not None:
            code = ord(control[0])
            raise self.error(
                f"found the control character U+{code:04X} in a quoted value, expected it as \\{code:03o}",
                control.start(),
            )
        raise self.error(f"found a quote {mark} that is never closed, expected another {mark} on the same line")


def read_weight(scanner: Scanner, of_what: str) -> float:
    """Read a weight in braces and the end of its line.

    Parameters
    ----------
    scanner
        Before the opening brace.
    of_what
        The owner of the weight, for error messages.

    Raises
    ------
    ARFFError
        Where no finite number of at least 0 stands in the braces.
    """
    scanner.expect("{", f"{{weight}} of {of_what}")
    token = scanner.value(f"the weight of {of_what}")
    weight = None if token.quoted else parse_number(token.text)
    if weight is None or weight < 0 or math.isinf(weight):
        raise scanner.error(
            f"found {shown(token.text)} as the weight of {of_what}, expected a finite number of at least 0",
            token.position,
        )
    scanner.expect("}", f"}} behind the weight of {of_what}")
    scanner.expect_end(f"the end of the line behind the weight of {of_what}")
    return weight
