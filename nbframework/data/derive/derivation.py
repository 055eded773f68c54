"""A derivation: how a published file becomes a data set, as data."""

from collections.abc import Sequence
from dataclasses import dataclass

from nbframework.data.arff.writer import format_arff
from nbframework.data.dataset import Dataset
from nbframework.data.derive.arff_text import read_arff_text
from nbframework.data.derive.document import Layout, arff_document
from nbframework.data.derive.reading import Reading
from nbframework.data.derive.steps import Step
from nbframework.data.derive.table import Table
from nbframework.errors import DataError


@dataclass(frozen=True, kw_only=True)
class Derivation:
    """Read, change step by step, write.

    Parameters
    ----------
    name
        What it derives.
    reading
        How the source is read; None where it is not a file but a data set that is generated.
    steps
        Applied in this order.
    layout
        What the document holds besides attributes and rows.
    """

    name: str
    reading: Reading | None
    steps: tuple[Step, ...]
    layout: Layout

    def of_files(self, contents: Sequence[bytes], source: str) -> bytes:
        """Return the ARFF document that comes of the bytes of the source's files.

        Parameters
        ----------
        contents
            The bytes of each file.
        source
            Where they are from, for messages.

        Raises
        ------
        DataError
            Where the files are not what the derivation expects.
        """
        if self.reading is None:
            raise DataError(f"derivation {self.name} is of a generated data set, not of files")
        return self._document(self.reading.table(contents, source))

    def of_dataset(self, dataset: Dataset) -> bytes:
        """Return the ARFF document that comes of a data set."""
        return self._document(read_arff_text(format_arff(dataset), self.name))

    def _document(self, table: Table) -> bytes:
        for number, step in enumerate(self.steps, start=1):
            try:
                table = step.apply(table)
            except DataError as error:
                raise DataError(f"derivation {self.name}, step {number} ({step.name}): {error}") from error
        try:
            return arff_document(table, self.layout).encode("utf-8")
        except DataError as error:
            raise DataError(f"derivation {self.name}: {error}") from error
