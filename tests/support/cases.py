"""The public problem cases of the shared material."""

import pytest

from nbframework import Dataset, read_arff
from support.paths import SHARED, absent

CASES = SHARED / "cases"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason=absent("cases"))


def case(name: str) -> Dataset:
    """Return the data of a case."""
    return read_arff(CASES / f"{name}.arff")


def train_and_test(name: str) -> tuple[Dataset, Dataset]:
    """Return training rows and queries of a case."""
    return case(f"{name}-train"), case(f"{name}-test")
