"""Dates by the patterns of Java's SimpleDateFormat, as far as data files use them, in UTC."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

DEFAULT_PATTERN = "yyyy-MM-dd'T'HH:mm:ss"

_LETTERS = "yMdHhmsSa"
_MOST_DIGITS = {"y": 4, "S": 3}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_PIECE = re.compile(r"''|'((?:[^']|'')*+)'|([A-Za-z])\2*+|[^'A-Za-z]++")
_FIRST_YEAR_OF_CENTURY = 69
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True)
class _Field:
    letter: str
    width: int

    @property
    def is_number(self) -> bool:
        return self.letter != "a" and not (self.letter == "M" and self.width >= 3)


@dataclass(frozen=True)
class DatePattern:
    """A pattern, ready to read and to write dates; `date_pattern` makes one.

    Parameters
    ----------
    text
        The pattern as the file has it.
    pieces
        Its fields and the literal texts between them.
    expression
        Matches a date, one group for each field.
    """

    text: str
    pieces: "tuple[_Field | str, ...]"
    expression: re.Pattern[str]

    def parse(self, text: str) -> float:
        """Return the milliseconds since 1970-01-01 UTC; ValueError where the text does not follow the pattern."""
        match = self.expression.fullmatch(text)
        if match is None:
            raise ValueError("it does not follow the pattern")
        fields = (piece for piece in self.pieces if isinstance(piece, _Field))
        parts = {field.letter: _number(field, found) for field, found in zip(fields, match.groups(), strict=True)}
        try:
            moment = datetime(
                parts.get("y", 1970),
                parts.get("M", 1),
                parts.get("d", 1),
                _hour(parts),
                parts.get("m", 0),
                parts.get("s", 0),
                parts.get("S", 0) * 1000,
                tzinfo=UTC,
            )
        except OverflowError:
            raise ValueError("a field of it is too large") from None
        return float((moment - _EPOCH) // _MILLISECOND)

    def format(self, milliseconds: float) -> str:
        """Return the date as text; ValueError where the pattern cannot hold it exactly."""
        try:
            moment = _EPOCH + timedelta(milliseconds=milliseconds)
        except OverflowError:
            raise ValueError("it is outside the years 1 to 9999") from None
        text = "".join(
            piece if isinstance(piece, str) else _WRITERS[piece.letter](moment, piece.width) for piece in self.pieces
        )
        if self.expression.fullmatch(text) is None or self.parse(text) != milliseconds:
            raise ValueError("the pattern cannot hold it exactly")
        return text


@lru_cache(maxsize=64)
def date_pattern(text: str) -> DatePattern:
    """Return the compiled pattern.

    Parameters
    ----------
    text
        Letters y M d H h m s S a, other characters for themselves, letters between single quotes for themselves.

    Raises
    ------
    ValueError
        Naming the first letter or quote that is not supported, or that the pattern is empty.
    """
    if not text:
        raise ValueError("the pattern is empty")
    pieces = _pieces(text)
    letters = [piece.letter for piece in pieces if isinstance(piece, _Field)]
    for letter in letters:
        if letter not in _LETTERS:
            raise ValueError(f"pattern letter {letter!r} is not supported, expected letters of {' '.join(_LETTERS)}")
        if letters.count(letter) > 1:
            raise ValueError(f"pattern letter {letter!r} stands at two places, expected one")
    expression = []
    for i, piece in enumerate(pieces):
        neighbours = pieces[max(i - 1, 0) : i] + pieces[i + 1 : i + 2]
        glued = any(isinstance(other, _Field) and other.is_number for other in neighbours)
        expression.append(re.escape(piece) if isinstance(piece, str) else f"({_expression(piece, glued)})")
    return DatePattern(text, tuple(pieces), re.compile("".join(expression), re.ASCII))


def _pieces(text: str) -> "list[_Field | str]":
    pieces: list[_Field | str] = []
    position = 0
    while position < len(text):
        match = _PIECE.match(text, position)
        if match is None:
            raise ValueError(f"the quote at character {position + 1} of the pattern is never closed")
        if match[2]:
            pieces.append(_Field(match[2], len(match[0])))
        elif match[1] is not None:
            pieces.append(match[1].replace("''", "'"))
        else:
            pieces.append("'" if match[0] == "''" else match[0])
        position = match.end()
    return pieces


def _expression(field: _Field, glued: bool) -> str:
    if field.letter == "a":
        return "(?i:am|pm)"
    if not field.is_number:
        return f"(?i:{'|'.join([*_MONTHS, *(month[:3] for month in _MONTHS)])})"
    if glued:
        return rf"\d{{{field.width}}}"
    return rf"\d{{1,{max(field.width, _MOST_DIGITS.get(field.letter, 2))}}}"


def _number(field: _Field, text: str) -> int:
    if field.letter == "a":
        return int(text.lower() == "pm")
    if not field.is_number:
        return next(i for i, month in enumerate(_MONTHS, start=1) if month[:3].lower() == text[:3].lower())
    number = int(text)
    if field.letter == "y" and field.width == 2 and len(text) == 2:
        return number + (1900 if number >= _FIRST_YEAR_OF_CENTURY else 2000)
    return number


def _hour(parts: Mapping[str, int]) -> int:
    if "H" in parts:
        return parts["H"]
    if "h" not in parts:
        return 12 * parts.get("a", 0)
    if not 1 <= parts["h"] <= 12:
        raise ValueError("hour must be in 1..12")
    return parts["h"] % 12 + 12 * parts.get("a", 0)


def _month(moment: datetime, width: int) -> str:
    if width < 3:
        return f"{moment.month:0{width}d}"
    name = _MONTHS[moment.month - 1]
    return name[:3] if width == 3 else name


_WRITERS: dict[str, Callable[[datetime, int], str]] = {
    "y": lambda moment, width: f"{moment.year % 100:02d}" if width == 2 else f"{moment.year:0{width}d}",
    "M": _month,
    "d": lambda moment, width: f"{moment.day:0{width}d}",
    "H": lambda moment, width: f"{moment.hour:0{width}d}",
    "h": lambda moment, width: f"{(moment.hour - 1) % 12 + 1:0{width}d}",
    "m": lambda moment, width: f"{moment.minute:0{width}d}",
    "s": lambda moment, width: f"{moment.second:0{width}d}",
    "S": lambda moment, width: f"{moment.microsecond // 1000:0{width}d}",
    "a": lambda moment, _width: "PM" if moment.hour >= 12 else "AM",
}
