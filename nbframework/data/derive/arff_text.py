"""An ARFF document as a table of texts: declarations and cells as they are written, quotes and blanks resolved."""

from nbframework.data.arff.document import BLANKS
from nbframework.data.arff.header import parse_header
from nbframework.data.arff.tokens import Scanner
from nbframework.data.attribute import Attribute
from nbframework.data.derive.table import Kind, Table
from nbframework.errors import DataError


def read_arff_text(text: str, source: str) -> Table:
    """Return the table of a document with dense rows without weights.

    Raises
    ------
    ARFFError
        Where the document breaks the format, or a row is sparse or has a weight.
    DataError
        Where an attribute is a date.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    header = parse_header(text, source)
    rows = []
    for number, line in enumerate(text[header.offset :].split("\n")):
        scanner = Scanner(source, header.line + number, line, 0 if number else header.column)
        if line.strip(BLANKS) and scanner.peek():
            rows.append(_row(scanner, len(header.attributes)))
    names = [attribute.name for attribute in header.attributes]
    return Table.of_rows(names, [_kind(attribute, source) for attribute in header.attributes], rows)


def _row(scanner: Scanner, width: int) -> list[str | None]:
    cells: list[str | None] = []
    while not cells or scanner.take(","):
        token = scanner.value("a value of a dense row without a weight")
        cells.append(None if token.missing else token.text)
    scanner.expect_end("a comma or the end of the row")
    if len(cells) != width:
        raise scanner.error(f"found {len(cells)} values, expected {width}, one for each attribute")
    return cells


def _kind(attribute: Attribute, source: str) -> Kind:
    if attribute.values is not None:
        return attribute.values
    if attribute.kind == "numeric":
        return "numeric"
    if attribute.kind == "string":
        return "text"
    raise DataError(f"{source}: attribute {attribute.name!r} is a date, expected a number, a text or listed values")
