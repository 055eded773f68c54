"""Tables that are larger than memory, written a part at a time by a process of its own."""

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.session import SEED

NUMBERS, WHOLE, WORDS, VALUES, CLASSES = 6, 4, 9, 8, 4
"""Numbers of real, whole and nominal attributes, of values of the nominal ones, and of classes: 20 columns in all."""
BLOCK = 250_000


def blocks(rows: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the columns of some rows: numbers, and codes of words."""
    generator = np.random.default_rng([SEED, seed])
    for first in range(0, rows, BLOCK):
        count = min(BLOCK, rows - first)
        classes = generator.integers(0, CLASSES, count)
        columns = {f"n{j}": generator.normal(size=count) + 0.3 * classes for j in range(NUMBERS)}
        columns |= {f"k{j}": np.round(20 * generator.normal(size=count)) + classes for j in range(WHOLE)}
        columns |= {f"v{j}": (generator.integers(0, VALUES, count) * (1 + classes)) % VALUES for j in range(WORDS)}
        yield columns | {"class": classes}


def write_parquet(path: Path, rows: int, seed: int) -> None:
    """Write a Parquet file of row groups of at most `BLOCK` rows."""
    import pyarrow
    import pyarrow.parquet as parquet

    writer = None
    for columns in blocks(rows, seed):
        arrays = {name: _arrow(pyarrow, name, column) for name, column in columns.items()}
        table = pyarrow.table(arrays)
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _arrow(pyarrow: Any, name: str, column: Any) -> Any:
    if name[0] in "nk":
        return pyarrow.array(column)
    words = pyarrow.array([f"{name[0]}{code}" for code in range(VALUES)])
    return pyarrow.DictionaryArray.from_arrays(column.astype(np.int8), words).dictionary_decode()


def write_text(path: Path, rows: int, seed: int) -> None:
    """Write a CSV file, or an ARFF file by the ending of its name."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        names = list(next(blocks(1, seed)))
        if path.suffix == ".arff":
            file.write("@relation large\n")
            for name in names:
                words = ",".join(f"{name[0]}{code}" for code in range(VALUES))
                file.write(f"@attribute {name} {'numeric' if name[0] in 'nk' else f'{{{words}}}'}\n")
            file.write("@data\n")
        writer = csv.writer(file, lineterminator="\n")
        if path.suffix == ".csv":
            writer.writerow(names)
        for columns in blocks(rows, seed):
            fields = [
                [f"{number:.6g}" for number in column.tolist()]
                if name[0] in "nk"
                else [f"{name[0]}{code}" for code in column.tolist()]
                for name, column in columns.items()
            ]
            writer.writerows(zip(*fields, strict=True))


def main() -> None:
    """Write one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("rows", type=int)
    parser.add_argument("seed", type=int)
    options = parser.parse_args()
    write = write_parquet if options.path.suffix == ".parquet" else write_text
    write(options.path, options.rows, options.seed)


if __name__ == "__main__":
    main()
