"""The public ARFF problem cases beside this checkout, each with its right answer."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nbframework.data.arff import format_arff, parse_arff, read_arff
from nbframework.data.dataset import Dataset
from nbframework.errors import ARFFError, DataError

SHARED = Path(os.environ.get("NBFRAMEWORK_SHARED", Path(__file__).parents[2].parent / "shared"))
CASES = SHARED / "cases"
ABSENT = f"the shared cases are not at {CASES}; set NBFRAMEWORK_SHARED to their folder"
LEARNING_INPUTS = sorted(
    path.name for kind in ("DISC", "NB", "CV", "KNN", "ODE", "PERS") for path in CASES.glob(f"{kind}-*.arff")
)

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason=ABSENT)


def load(case: str, class_attribute: str | None = None) -> Dataset:
    return read_arff(CASES / f"{case}.arff", class_attribute)


def values(dataset: Dataset, name: str) -> list[object]:
    """Return a column with texts for nominal codes and None for unknown."""
    index = [attribute.name for attribute in dataset.attributes].index(name)
    attribute, cells = dataset.attributes[index], dataset.columns[index].tolist()
    if attribute.values is not None:
        return [None if code == attribute.unknown else attribute.values[code] for code in cells]
    return [None if cell is None or cell != cell else cell for cell in cells]


def error_of(case: str) -> ARFFError:
    with pytest.raises(ARFFError) as caught:
        load(case)
    return caught.value


def test_arff_01_quoted_question_mark_is_a_value() -> None:
    assert values(load("ARFF-01"), "answer") == ["?", None, "yes", "?"]


def test_arff_01_is_written_so_that_it_reads_back() -> None:
    dataset = load("ARFF-01")
    assert parse_arff(format_arff(dataset)).equals(dataset)


def test_arff_04_quote_style_is_no_part_of_a_value() -> None:
    assert values(load("ARFF-04"), "shop name") == ["north, east", "up {left}", "plain"]


def test_arff_05_percent_in_quotes_is_data() -> None:
    assert values(load("ARFF-05"), "load") == ["50%", "100%", "50%"]


def test_arff_07_tabs_are_blanks() -> None:
    dataset = load("ARFF-07")
    assert (values(dataset, "x"), values(dataset, "colour")) == ([1, 2], ["red", "blue"])


def test_arff_09_trailing_comma_is_named() -> None:
    error = error_of("ARFF-09")
    assert (error.line, "trailing comma" in error.message) == (8, True)


def test_arff_11_byte_order_mark_and_carriage_returns_leave_no_trace() -> None:
    dataset = load("ARFF-11")
    assert (dataset.name, len(dataset), values(dataset, "class")) == ("r", 2, ["p", "q"])


def test_arff_13_omitted_sparse_values_are_zero_or_the_first_declared() -> None:
    dataset = load("ARFF-13")
    assert [values(dataset, name) for name in ("x", "colour", "y", "class")] == [
        [4, 0, 0, 0],
        ["blue", "red", "red", None],
        [0, 0.5, 0, 0],
        ["kind B", "kind A", "kind A", "kind B"],
    ]


def test_arff_14_instance_weights_are_kept() -> None:
    assert load("ARFF-14").weights.tolist() == [2.5, 1, 0]


def test_arff_16_dates_are_milliseconds_since_1970() -> None:
    assert values(load("ARFF-16"), "seen") == [981158400000, None]


def test_arff_16_dates_without_a_format_have_the_default_one() -> None:
    assert values(load("ARFF-16"), "stamp") == [981173106000, 1009843199000]


def test_arff_18_a_header_alone_has_no_rows() -> None:
    dataset = load("ARFF-18")
    assert (len(dataset), len(dataset.attributes)) == (0, 2)


def test_arff_20_case_of_a_value_matters() -> None:
    error = error_of("ARFF-20")
    assert (error.line, error.message) == (
        8,
        "attribute 'colour': found 'Blue', expected one of red, blue; did you mean 'blue'?",
    )


def test_arff_22_only_quoted_blanks_belong_to_a_value() -> None:
    dataset = load("ARFF-22")
    assert dataset.attributes[0].values == ("owl", "carp", "newt")
    assert values(dataset, "pad ") == [" a", "b "]


def test_arff_24_a_list_without_braces_gets_the_hint() -> None:
    error = error_of("ARFF-24")
    assert error.line == 4
    assert "'mood'" in error.message
    assert error.message.endswith("; did you mean {0,1,2}?")


def test_arff_25_keel_header_is_named_at_its_line() -> None:
    error = error_of("ARFF-25")
    assert (error.line, "'@inputs'" in error.message, "KEEL" in error.message) == (4, True, True)


def test_arff_28_short_forms_of_numbers_are_read() -> None:
    assert values(load("ARFF-28"), "x") == [5, 1, 0.5, 1000, 0]


@pytest.mark.parametrize(
    ("case", "found"), [("ARFF-29-01", "NaN"), ("ARFF-29-02", "Infinity"), ("ARFF-29-05", "1_000")]
)
def test_arff_29_no_number_beyond_the_decimal_grammar(case: str, found: str) -> None:
    error = error_of(case)
    assert error.line == 7
    assert error.message.startswith(f"attribute 'x': found '{found}', expected a number")


def test_arff_29_decimal_comma_is_suspected() -> None:
    error = error_of("ARFF-29-08")
    assert error.line == 7
    assert "found 3 values, expected 2" in error.message
    assert "decimal comma?" in error.message


def test_arff_30_a_value_is_declared_once() -> None:
    error = error_of("ARFF-30")
    assert (error.line, "'red' twice" in error.message) == (3, True)


def test_arff_31_too_few_values_are_counted() -> None:
    error = error_of("ARFF-31")
    assert (error.line, "found 2 values, expected 3" in error.message) == (9, True)


def test_arff_33_escapes_are_resolved() -> None:
    assert values(load("ARFF-33"), "note") == ["two\nlines", "a\tb", "100% sure", 'say "hi"']


def test_arff_33_is_written_so_that_it_reads_back() -> None:
    dataset = load("ARFF-33")
    assert parse_arff(format_arff(dataset)).equals(dataset)


def test_arff_36_names_may_hold_any_character() -> None:
    assert [attribute.name for attribute in load("ARFF-36").inputs] == ["petal length", "it's", "50% {max}"]


def test_arff_36_such_a_name_chooses_the_class() -> None:
    assert load("ARFF-36", "it's").class_index == 1


def test_arff_37_a_missing_relation_is_an_error_at_line_1() -> None:
    error = error_of("ARFF-37")
    assert (error.line, "expected @relation" in error.message) == (1, True)


def test_arff_39_indents_have_no_meaning() -> None:
    dataset = load("ARFF-39")
    assert (values(dataset, "x"), values(dataset, "class")) == ([1], ["p"])


def test_arff_43_a_sparse_index_stands_once() -> None:
    error = error_of("ARFF-43")
    assert (error.line, "index 0 twice" in error.message) == (8, True)


def test_arff_48_a_nul_byte_is_an_error() -> None:
    error = error_of("ARFF-48")
    assert (error.line, "U+0000" in error.message) == (5, True)


def test_arff_49_a_stray_comma_shifts_no_values() -> None:
    error = error_of("ARFF-49")
    assert (error.line, "found 4 values, expected 3" in error.message) == (8, True)


def test_arff_51_twenty_thousand_attributes_load() -> None:
    text = subprocess.run([sys.executable, CASES / "ARFF-51.gen.py"], capture_output=True, text=True, check=True).stdout
    dataset = parse_arff(text)
    assert (len(dataset), len(dataset.attributes)) == (2, 20001)


def test_arff_53_a_numeric_class_gets_the_hint_to_choose_by_name() -> None:
    with pytest.raises(DataError, match=r"last attribute 'x' is numeric.*choose the class by name"):
        _ = load("ARFF-53").class_values


def test_arff_53_the_class_may_be_the_first_attribute() -> None:
    dataset = load("ARFF-53", "class")
    assert values(dataset, "class") == ["a", "b", "a"]
    assert [attribute.name for attribute in dataset.inputs] == ["colour", "x"]


@pytest.mark.parametrize("name", LEARNING_INPUTS)
def test_inputs_of_the_other_cases_load_and_round_trip(name: str) -> None:
    dataset = read_arff(CASES / name)
    assert not any(
        math.isinf(cell)
        for a, c in zip(dataset.attributes, dataset.columns, strict=True)
        if a.is_measured
        for cell in c.tolist()
    )
    assert parse_arff(format_arff(dataset)).equals(dataset)
