"""A table that will not fit is announced before the first fold, with what is done instead."""

from pathlib import Path

import pytest

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework_structures import parent_counts

TEXT = "monks-1: the table of all pairs of values would take 0 MiB, more than 0: its 6 attributes are counted one after"


@pytest.fixture(autouse=True)
def _small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parent_counts, "LARGEST_TABLE", 1000)


def test_evaluate_announces_it_once(nbf) -> None:
    result = nbf("evaluate", "tan", "-d", "monks-1", "--folds", "2")
    assert result.code == 0
    assert result.err.count(TEXT) == 1


def test_no_table_no_announcement(nbf) -> None:
    assert "table of all pairs" not in nbf("evaluate", "sbc", "-d", "monks-1", "--folds", "2").err


def test_what_a_discretizer_may_add_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parent_counts, "LARGEST_TABLE", 1)
    (text,) = Recipe.load("tan").build().announced(read_arff(bundled_path("iris")))
    assert text.startswith("the table of all pairs of values would take at least 0 MiB")


def test_fit_announces_it_once(nbf, tmp_path: Path) -> None:
    result = nbf("fit", "aode", "monks-1", "-o", str(tmp_path / "m.model"))
    assert result.code == 0
    assert result.err.count(TEXT.removeprefix("monks-1: ")) == 1


def test_run_announces_it_before_the_first_data_set_is_done(nbf, tmp_path: Path) -> None:
    study = tmp_path / "s.yaml"
    study.write_text("study: s\nrecipes: [tan, aode]\ndata: [monks-1]\nprotocol: {cross-validation: {folds: 2}}\n")
    result = nbf("run", str(study))
    assert result.code == 0
    before, _, after = result.err.partition(TEXT)
    assert "  monks-1: tan" not in before
    assert "  monks-1: tan" in after
