"""The engine for everything: row by row with the place of every token, the source of all error messages."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nbframework.data.arff.cells import converter, expected_value, omitted_value
from nbframework.data.arff.document import Header, Rows
from nbframework.data.arff.tokens import Scanner, Token, read_weight
from nbframework.data.attribute import Attribute

Converter = Callable[[Scanner, Token], Any]


def read_carefully(body: str, header: Header, source: str) -> Rows:
    """Read any data section.

    Parameters
    ----------
    body
        The text behind ``@data``, with line feeds as the only line ends.
    header
        The declarations and the place of ``@data``.
    source
        File name for error messages.

    Raises
    ------
    ARFFError
        At the first row that breaks the format.
    """
    attributes = header.attributes
    converters = [converter(attribute) for attribute in attributes]
    columns: list[list[Any]] = [[] for _ in attributes]
    weights: list[float] = []
    for number, text in enumerate(body.split("\n")):
        scanner = Scanner(source, header.line + number, text, 0 if number else header.column)
        mark = scanner.peek()
        if not mark:
            continue
        read_row = _sparse_row if mark == "{" else _dense_row
        cells, weight = read_row(scanner, attributes, converters)
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
        weights.append(weight)
    weighted = any(weight != 1.0 for weight in weights)
    arrays = [_array(attribute, column) for attribute, column in zip(attributes, columns, strict=True)]
    return Rows(arrays, np.array(weights) if weighted else None)


def _array(attribute: Attribute, cells: list[Any]) -> Any:
    if attribute.kind == "string":
        return cells
    return np.array(cells, dtype=np.int64 if attribute.is_nominal else np.float64)


def _dense_row(
    scanner: Scanner, attributes: Sequence[Attribute], converters: Sequence[Converter]
) -> tuple[list[Any], float]:
    tokens, weight = _dense_tokens(scanner)
    if len(tokens) != len(attributes):
        hint, position = _miscount(tokens, attributes, scanner.position)
        values = "value" if len(tokens) == 1 else "values"
        counts = f"found {len(tokens)} {values}, expected {len(attributes)}, one for each attribute"
        raise scanner.error(counts + hint, position)
    return [convert(scanner, token) for convert, token in zip(converters, tokens, strict=True)], weight


def _dense_tokens(scanner: Scanner) -> tuple[list[Token], float]:
    tokens: list[Token] = []
    while True:
        mark = scanner.peek()
        if mark == "{" and tokens:
            return tokens, read_weight(scanner, "the row")
        if mark in ("", ","):
            tokens.append(Token("", False, scanner.position))
        else:
            tokens.append(scanner.value("a value"))
        mark = scanner.peek()
        if mark == "{":
            return tokens, read_weight(scanner, "the row")
        if not scanner.take(","):
            break
    hint = "; a value with blanks has to be quoted" if scanner.peek() > " " else ""
    scanner.expect_end(f"a comma or the end of the row{hint}")
    return tokens, 1.0


def _is_empty(token: Token) -> bool:
    return not token.text and not token.quoted


def _miscount(tokens: Sequence[Token], attributes: Sequence[Attribute], end: int) -> tuple[str, int]:
    """Return the hint for a row with the wrong number of values, and the position of the fault."""
    if len(tokens) < len(attributes):
        return "", end
    if _is_empty(tokens[-1]):
        return "; the row has a trailing comma", tokens[-1].position
    if _is_empty(tokens[0]):
        return "; the row starts with a stray comma", tokens[0].position
    for attribute, left, right in zip(attributes, tokens, tokens[1:], strict=False):
        if attribute.kind == "numeric" and left.text.lstrip("+-").isdigit() and right.text.isdigit():
            return "; is there a decimal comma? A number is written with a decimal point", tokens[-1].position
    return "; a value with a comma has to be quoted", tokens[len(attributes)].position


def _sparse_row(
    scanner: Scanner, attributes: Sequence[Attribute], converters: Sequence[Converter]
) -> tuple[list[Any], float]:
    start = scanner.position
    cells: dict[int, Any] = {}
    scanner.take("{")
    closed = scanner.take("}")
    while not closed:
        index = _sparse_index(scanner, attributes, max(cells, default=-1))
        token = scanner.value(f"{expected_value(attributes[index])} for attribute {attributes[index].name!r}")
        cells[index] = converters[index](scanner, token)
        closed = scanner.take("}")
        if not closed and not scanner.take(","):
            raise scanner.error(
                f"{scanner.found()} in a sparse row, expected a comma or a closing brace; "
                "a value with blanks has to be quoted"
            )
    weight = 1.0
    if scanner.take(",") or scanner.peek() == "{":
        weight = read_weight(scanner, "the row")
    scanner.expect_end("the end of the row")
    row = [
        cells[index] if index in cells else omitted_value(scanner, attribute, start)
        for index, attribute in enumerate(attributes)
    ]
    return row, weight


def _sparse_index(scanner: Scanner, attributes: Sequence[Attribute], previous: int) -> int:
    last = len(attributes) - 1
    expected = f"an attribute index from 0 to {last}"
    token = scanner.value(f"{expected} and a value")
    if token.quoted or not (token.text.isascii() and token.text.isdigit()):
        raise scanner.error(f"found {token.text!r} in a sparse row, expected {expected}", token.position)
    digits = token.text.lstrip("0") or "0"
    index = int(digits) if len(digits) <= len(str(last)) else last + 1
    if index > last:
        raise scanner.error(f"found attribute index {token.text} in a sparse row, expected {expected}", token.position)
    if index == previous:
        raise scanner.error(
            f"found attribute index {index} twice in a sparse row, expected each index once", token.position
        )
    if index < previous:
        raise scanner.error(
            f"found attribute index {index} behind {previous} in a sparse row, expected rising indexes", token.position
        )
    return index
