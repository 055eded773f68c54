"""The compiled engine: dense rows of numbers and nominal values in one pass over the bytes."""

from collections.abc import Sequence

from nbframework import kernels
from nbframework.data.arff.document import Rows
from nbframework.data.attribute import Attribute


def read_compiled(body: str, attributes: Sequence[Attribute]) -> Rows | None:
    """Read a data section with the compiled scanner.

    Parameters
    ----------
    body
        The text behind ``@data``.
    attributes
        The declarations.

    Returns
    -------
    Rows or None
        None where the scanner is not built, or another engine has to look at the section.
    """
    if kernels.implementation() != "compiled" or not all(a.kind in ("nominal", "numeric") for a in attributes):
        return None
    rows = kernels.arff_rows(body, [attribute.values for attribute in attributes])
    for column in rows.columns:
        column.flags.writeable = False
    length = len(body) if body.isascii() else len(body.encode())
    return Rows(list(rows.columns), None) if rows.position == length else None
