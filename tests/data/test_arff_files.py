"""The data sets of the source papers beside this checkout, against their catalog."""

import csv
import os
from pathlib import Path

import pytest

from nbframework.data.arff import format_arff, parse_arff, read_arff
from nbframework.data.arff.reader import Engine, parse_with

SHARED = Path(os.environ.get("NBFRAMEWORK_SHARED", Path(__file__).parents[2].parent / "shared"))
CATALOG = SHARED / "datasets" / "catalog.csv"
ABSENT = f"the shared data sets are not at {CATALOG.parent}; set NBFRAMEWORK_SHARED to their folder"
ROWS = list(csv.DictReader(CATALOG.open(encoding="utf-8"))) if CATALOG.is_file() else []
COUNTS = ("instances", "attributes", "numeric", "nominal", "classes", "missing_cells")

pytestmark = pytest.mark.skipif(not ROWS, reason=ABSENT)
each_file = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])


def test_the_catalog_has_57_files() -> None:
    assert len(ROWS) == 57


@each_file
def test_counts_are_those_of_the_catalog(row: dict[str, str]) -> None:
    dataset = read_arff(CATALOG.with_name(row["file"]), row["class_attribute"])
    kinds = [attribute.kind for attribute in dataset.inputs]
    missing = sum(int(dataset.unknown(index).sum()) for index in range(len(dataset.attributes)))
    counts = (len(dataset), len(kinds), kinds.count("numeric"), kinds.count("nominal"))
    assert (*counts, len(dataset.class_values), missing) == tuple(int(row[count]) for count in COUNTS)


@each_file
def test_writing_and_reading_give_the_same_data_set(row: dict[str, str]) -> None:
    dataset = read_arff(CATALOG.with_name(row["file"]), row["class_attribute"])
    back = parse_arff(format_arff(dataset), class_attribute=row["class_attribute"])
    assert (back.equals(dataset), back.name) == (True, dataset.name)


@each_file
def test_all_engines_give_the_same_data_set(row: dict[str, str]) -> None:
    text = CATALOG.with_name(row["file"]).read_bytes().decode("utf-8")
    careful = parse_with([Engine.CAREFUL], text)
    assert careful is not None
    for engine in (Engine.COMPILED, Engine.PLAIN, Engine.LIAC):
        dataset = parse_with([engine], text)
        assert dataset is None or dataset.equals(careful)


@each_file
def test_no_file_needs_the_careful_engine(row: dict[str, str]) -> None:
    text = CATALOG.with_name(row["file"]).read_bytes().decode("utf-8")
    assert parse_with([Engine.PLAIN, Engine.LIAC], text) is not None
