"""From the token of one cell to its value, with a message that helps where it has none."""

import math
from collections.abc import Callable
from typing import Any

from nbframework.data.arff.dates import DEFAULT_PATTERN, date_pattern
from nbframework.data.arff.tokens import Scanner, Token, parse_number, shown
from nbframework.data.attribute import Attribute
from nbframework.errors import ARFFError, did_you_mean

_LISTED_VALUES = 10


def converter(attribute: Attribute) -> Callable[[Scanner, Token], Any]:
    """Return the function that turns a token into a cell of the attribute's column, or raises an ARFFError."""
    makers = {"nominal": _to_code, "numeric": _to_number, "date": _to_date, "string": _to_string}
    return makers[attribute.kind](attribute)


def expected_value(attribute: Attribute) -> str:
    """Describe what a cell of the attribute may hold."""
    if attribute.kind == "numeric":
        return "a number"
    if attribute.kind == "date":
        return f"a date like {attribute.format or DEFAULT_PATTERN}"
    if attribute.values is None:
        return "a text"
    if not attribute.values:
        return "? (the attribute declares no values)"
    listed = ", ".join(attribute.values[:_LISTED_VALUES])
    more = len(attribute.values) - _LISTED_VALUES
    return f"one of {listed}" + (f" and {more} more" if more > 0 else "")


def omitted_value(scanner: Scanner, attribute: Attribute, position: int) -> Any:
    """Return the value that a sparse row has where it names none: zero or the first declared value."""
    if attribute.kind == "string" or attribute.values == ():
        raise scanner.error(
            f"found a sparse row without {attribute.kind} attribute {attribute.name!r}, expected a value or ? for it; "
            "only numbers, dates and declared values have a default",
            position,
        )
    return 0 if attribute.is_nominal else 0.0


def _refused(scanner: Scanner, token: Token, attribute: Attribute, hint: str) -> ARFFError:
    if not token.text and not token.quoted:
        found, hint = "an empty value", "; a missing value is written ?"
    else:
        found = shown(token.text)
    return scanner.error(
        f"attribute {attribute.name!r}: found {found}, expected {expected_value(attribute)}{hint}", token.position
    )


def _to_code(attribute: Attribute) -> Callable[[Scanner, Token], int]:
    code_of, values, unknown = attribute.code_of, attribute.values or (), attribute.unknown

    def convert(scanner: Scanner, token: Token) -> int:
        if token.missing:
            return unknown
        code = code_of.get(token.text)
        if code is None or not (token.text or token.quoted):
            folded = token.text.casefold()
            near = [value for value in values if value.casefold() == folded]
            hint = f"; did you mean {near[0]!r}?" if near else did_you_mean(token.text, values)
            raise _refused(scanner, token, attribute, hint)
        return code

    return convert


def _to_number(attribute: Attribute) -> Callable[[Scanner, Token], float]:
    def convert(scanner: Scanner, token: Token) -> float:
        if token.missing:
            return math.nan
        number = parse_number(token.text)
        if number is None or math.isinf(number):
            raise _refused(scanner, token, attribute, _number_hint(token.text))
        return number

    return convert


def _number_hint(text: str) -> str:
    bare = text.lower().lstrip("+-")
    if bare in ("nan", "na", "null", "none", "?"):
        return "; a missing value is written ? without quotes"
    if bare in ("inf", "infinity") or parse_number(text) is not None:
        return " that is finite"
    if "_" in text:
        return "; digits are not grouped by _"
    if "," in text:
        return "; a number has a decimal point"
    return ""


def _to_date(attribute: Attribute) -> Callable[[Scanner, Token], float]:
    pattern = date_pattern(attribute.format if attribute.format is not None else DEFAULT_PATTERN)

    def convert(scanner: Scanner, token: Token) -> float:
        if token.missing:
            return math.nan
        try:
            return pattern.parse(token.text)
        except ValueError as error:
            raise _refused(scanner, token, attribute, f"; {error}") from None

    return convert


def _to_string(attribute: Attribute) -> Callable[[Scanner, Token], str | None]:
    def convert(scanner: Scanner, token: Token) -> str | None:
        if token.missing:
            return None
        if not token.text and not token.quoted:
            raise _refused(scanner, token, attribute, "")
        return token.text

    return convert
