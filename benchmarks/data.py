"""Artificial data of a stated shape, the same for product and peers."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.session import SEED
from nbframework import Attribute, Dataset, write_arff

PAPER_SETS = (
    *("anneal", "anneal-orig", "audiology", "autos", "breast-cancer", "credit-a", "diabetes", "glass", "hypothyroid"),
    *("ionosphere", "iris", "kr-vs-kp", "mushroom", "segment", "sick", "sonar", "soybean", "vote", "vowel", "zoo"),
)
"""The 20 data sets of Zhang et al. (2018), Table 2, as files of these names."""


@dataclass(frozen=True)
class Nominal:
    """Uniformly drawn codes: rows x attributes of so many values, and classes.

    The class tells the first half of the attributes apart a little, so that posteriors are not all alike.
    """

    rows: int
    attributes: int = 40
    values: int = 8
    classes: int = 5

    @property
    def size(self) -> str:
        """The shape in words."""
        return f"{self.rows:,} x {self.attributes}, {self.values} values, {self.classes} classes"

    @cached_property
    def labels(self) -> NDArray[np.uint8]:
        """(n,) classes."""
        return np.random.default_rng([SEED, self.rows]).integers(0, self.classes, self.rows).astype(np.uint8)

    @cached_property
    def codes(self) -> NDArray[np.uint8]:
        """(n, a) codes, row by row, as scikit-learn takes them."""
        generator = np.random.default_rng([SEED, self.rows, self.attributes])
        codes = generator.integers(0, self.values, (self.rows, self.attributes), dtype=np.uint8)
        half, follows = self.attributes // 2, generator.random(self.rows) < 0.2
        codes[follows, :half] = (self.labels[follows] % self.values)[:, np.newaxis]
        return codes

    @cached_property
    def columns(self) -> list[NDArray[np.uint8]]:
        """The columns, each in one piece."""
        return [np.ascontiguousarray(self.codes[:, j]) for j in range(self.attributes)]

    @cached_property
    def dataset(self) -> Dataset:
        """The same as a data set."""
        values = [f"v{code}" for code in range(self.values)]
        attributes = [Attribute.nominal(f"a{j}", values) for j in range(self.attributes)]
        attributes.append(Attribute.nominal("class", [f"c{code}" for code in range(self.classes)]))
        return Dataset.from_columns(attributes, [*self.columns, self.labels], name="nominal")

    def write(self, folder: Path) -> Path:
        """Write it as an ARFF file."""
        path = folder / f"nominal-{self.rows}-{self.attributes}.arff"
        write_arff(self.dataset, path)
        return path


@dataclass(frozen=True)
class Measured:
    """Numbers: rows x attributes, and classes, each of which shifts some attributes a little."""

    rows: int
    attributes: int = 20
    classes: int = 5

    @property
    def size(self) -> str:
        """The shape in words."""
        return f"{self.rows:,} x {self.attributes}, {self.classes} classes"

    @cached_property
    def labels(self) -> NDArray[np.intp]:
        """(n,) classes."""
        return np.random.default_rng([SEED, self.rows]).integers(0, self.classes, self.rows)

    @cached_property
    def normal(self) -> NDArray[np.float64]:
        """(n, a) normally distributed numbers, row by row, as scikit-learn takes them."""
        generator = np.random.default_rng([SEED, self.rows, self.attributes])
        mean = generator.normal(0.0, 0.3, (self.classes, self.attributes))
        return generator.normal(mean[self.labels], 1.0)

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """(n, a) counts of a Poisson distribution, row by row."""
        generator = np.random.default_rng([SEED, self.rows, self.attributes])
        rate = generator.gamma(1.0, 2.0, (self.classes, self.attributes))
        return generator.poisson(rate[self.labels]).astype(np.float64)

    def dataset(self, numbers: NDArray[np.float64]) -> Dataset:
        """Return (n, a) numbers as a data set."""
        attributes = [Attribute.numeric(f"a{j}") for j in range(self.attributes)]
        attributes.append(Attribute.nominal("class", [f"c{code}" for code in range(self.classes)]))
        return Dataset.from_columns(attributes, [*numbers.T, self.labels], name="measured")


def reading(columns: Any) -> int:
    """Read columns once, eight bytes at a time: the least that any count of them costs."""
    total = 0
    for column in columns:
        whole = len(column) * column.itemsize // 8 * 8 // column.itemsize
        total |= int(np.bitwise_or.reduce(column[:whole].view(np.uint64)))
    return total


def numeric_column(rows: int) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return (n,) values that two of five classes shift, and the (n,) classes."""
    generator = np.random.default_rng([SEED, rows])
    classes = generator.integers(0, 5, rows).astype(np.uint8)
    return generator.normal(0.0, 1.0, rows) + np.array([0.0, 0.0, 0.0, 0.7, 1.5])[classes], classes


def write_mixed(path: Path, rows: int) -> None:
    """Write an ARFF file of 11 numeric and 9 nominal attributes and a class, 1 % of the numbers unknown."""
    generator = np.random.default_rng([SEED, rows])
    block = min(rows, 20_000)
    numbers, codes = generator.normal(0, 100, (block, 11)), generator.integers(0, 8, (block, 9))
    unknown, classes = generator.random((block, 11)) < 0.01, generator.integers(0, 5, block)
    lines = []
    for i in range(block):
        cells = ["?" if unknown[i, j] else f"{numbers[i, j]:.3f}" for j in range(11)]
        cells += [f"v{code}" for code in codes[i]]
        lines.append(",".join([*cells, "abcde"[classes[i]]]))
    text = "\n".join(lines) + "\n"
    with path.open("w", encoding="ascii") as file:
        file.write("@relation mixed\n")
        file.writelines(f"@attribute n{j} numeric\n" for j in range(11))
        file.writelines(f"@attribute v{j} {{v0,v1,v2,v3,v4,v5,v6,v7}}\n" for j in range(9))
        file.write("@attribute class {a,b,c,d,e}\n@data\n")
        for _ in range(rows // block):
            file.write(text)
