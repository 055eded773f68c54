"""The header of an ARFF document: the relation, the attributes and where the data begin."""

import re

from nbframework.data.arff.dates import date_pattern
from nbframework.data.arff.document import Header
from nbframework.data.arff.tokens import Scanner, Token, read_weight, shown
from nbframework.data.attribute import Attribute
from nbframework.errors import ARFFError, did_you_mean

_KEYWORD = re.compile(r"@[^\x00-\x20,{}'\"%]*")
_TYPE = re.compile(r"[A-Za-z]+(?=[ \t\[({%]|$)")
_RANGE = re.compile(r"[\[(][^\[\](){}]*[\])]")
_NUMERIC = ("numeric", "real", "integer")
_TYPES = (*_NUMERIC, "string", "date")
_EXPECTED_TYPE = f"{', '.join(_TYPES)} or a list of values in {{ }}"
_KEEL = ("@input", "@inputs", "@output", "@outputs")


def parse_header(text: str, source: str) -> Header:
    """Read the lines up to ``@data``.

    Parameters
    ----------
    text
        The document, with line feeds as the only line ends.
    source
        File name for error messages.

    Raises
    ------
    ARFFError
        At the first declaration that breaks the format.
    """
    relation: str | None = None
    attributes: list[Attribute] = []
    line_of: dict[str, int] = {}
    start = line = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line += 1
        scanner = Scanner(source, line, text[start:end])
        if scanner.peek():
            keyword = _keyword(scanner, relation is not None, bool(attributes))
            if keyword == "@data":
                offset = start + scanner.position
                return Header(relation or "", tuple(attributes), line, scanner.position, offset)
            if keyword == "@relation":
                relation = _relation(scanner)
            else:
                attributes.append(_attribute(scanner, line_of))
        start = end + 1
    expected = "@relation" if relation is None else "@data" if attributes else "@attribute"
    raise ARFFError(source, line, None, f"found the end of the file, expected {expected}")


def _keyword(scanner: Scanner, has_relation: bool, has_attributes: bool) -> str:
    wanted = ["@relation"] if not has_relation else ["@attribute", "@data"] if has_attributes else ["@attribute"]
    match = _KEYWORD.match(scanner.text, scanner.position)
    if match is None:
        hint = "; data rows stand behind a line @data" if has_attributes else ""
        if not has_relation and "," in scanner.text[scanner.position :].partition("\n")[0]:
            hint = "; is this a CSV file? The name of one ends in .csv"
        raise scanner.error(f"{scanner.found()}, expected {' or '.join(wanted)}{hint}")
    keyword = match[0].lower()
    if keyword in wanted:
        scanner.position = match.end()
        return keyword
    hint = did_you_mean(keyword, wanted)
    if keyword in _KEEL:
        hint = "; this is the header of a KEEL file, not of an ARFF file: remove the line and choose the class by name"
    elif keyword == "@data" and not has_attributes and has_relation:
        hint = "; a data set needs at least one attribute"
    elif keyword == "@relation":
        hint = "; the relation is named once, before the attributes"
    elif keyword in ("@attribute", "@data"):
        hint = "; the first line is @relation and a name"
    raise scanner.error(f"found {shown(match[0])}, expected {' or '.join(wanted)}{hint}")


def _relation(scanner: Scanner) -> str:
    name = scanner.value("the name of the relation").text
    scanner.expect_end("the end of the line behind the relation name; a name with blanks or commas has to be quoted")
    return name


def _attribute(scanner: Scanner, line_of: dict[str, int]) -> Attribute:
    token = scanner.value("the name of an attribute")
    name = token.text
    if name in line_of:
        raise scanner.error(
            f"found a second attribute {name!r}, expected another name; the first one is on line {line_of[name]}",
            token.position,
        )
    line_of[name] = scanner.line
    if scanner.peek() == "{":
        values = _nominal_values(scanner, name)
        return Attribute(name, "nominal", values, weight=_attribute_weight(scanner, name))
    kind = _type(scanner, name)
    if kind in _NUMERIC:
        _skip_range(scanner, name)
        return Attribute(name, "numeric", weight=_attribute_weight(scanner, name))
    if kind == "string":
        return Attribute(name, "string", weight=_attribute_weight(scanner, name))
    pattern = _date_format(scanner, name)
    return Attribute(name, "date", format=pattern, weight=_attribute_weight(scanner, name))


def _type(scanner: Scanner, name: str) -> str:
    match = _TYPE.match(scanner.text, scanner.position)
    kind = match[0].lower() if match else ""
    if match and kind in _TYPES:
        scanner.position = match.end()
        return kind
    if not scanner.peek() or scanner.peek() < " ":
        raise scanner.error(f"{scanner.found()}, expected the type of attribute {name!r}: {_EXPECTED_TYPE}")
    if kind == "relational":
        raise scanner.error(
            f"attribute {name!r}: found the type relational, expected {_EXPECTED_TYPE}; "
            "relational attributes are not supported"
        )
    found = scanner.rest()
    raise scanner.error(
        f"attribute {name!r}: found the type {shown(found)}, expected {_EXPECTED_TYPE}{_type_hint(found)}"
    )


def _type_hint(found: str) -> str:
    if "," in found and "{" not in found:
        return f"; did you mean {{{found}}}?"
    words = found.lower().split()
    if len(words) > 1 and (words[-1] in _TYPES or "{" in found):
        return "; a name with blanks has to be quoted"
    return did_you_mean(found.lower(), _TYPES)


def _skip_range(scanner: Scanner, name: str) -> None:
    if scanner.peek() in ("[", "("):
        match = _RANGE.match(scanner.text, scanner.position)
        if match is None:
            raise scanner.error(f"attribute {name!r}: found a range that is never closed, expected [low,high]")
        scanner.position = match.end()


def _attribute_weight(scanner: Scanner, name: str) -> float:
    if scanner.peek() == "{":
        return read_weight(scanner, f"attribute {name!r}")
    scanner.expect_end(f"the end of the line behind attribute {name!r}")
    return 1.0


def _date_format(scanner: Scanner, name: str) -> str | None:
    if scanner.peek() in ("", "{"):
        return None
    token = scanner.value(f"the date format of attribute {name!r}")
    try:
        return date_pattern(token.text).text
    except ValueError as error:
        raise scanner.error(f"attribute {name!r}, date format {token.text!r}: {error}", token.position) from None


def _nominal_values(scanner: Scanner, name: str) -> tuple[str, ...]:
    values: dict[str, None] = {}
    scanner.take("{")
    if scanner.take("}"):
        return ()
    while True:
        token = scanner.value(f"a value of attribute {name!r}")
        _check_value(scanner, token, name, values)
        values[token.text] = None
        if scanner.take("}"):
            return tuple(values)
        if not scanner.take(","):
            raise scanner.error(
                f"{scanner.found()} in the values of attribute {name!r}, expected a comma or a closing brace; "
                "a value with blanks has to be quoted"
            )


def _check_value(scanner: Scanner, token: Token, name: str, values: dict[str, None]) -> None:
    if token.missing:
        raise scanner.error(
            f"attribute {name!r}: found ? among the values, expected a value; "
            "? stands for missing and is not declared, a value '?' has to be quoted",
            token.position,
        )
    if token.text in values:
        raise scanner.error(
            f"attribute {name!r}: found the value {token.text!r} twice, expected each value once", token.position
        )
