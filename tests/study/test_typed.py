"""Score tables typed in as CSV."""

import numpy as np
import pytest
from support.cases import CASES, needs_cases

from nbframework.errors import DataError
from nbframework.study.typed import read_score_csv


def read(tmp_path, text, *args, **options):
    (tmp_path / "t.csv").write_text(text)
    return read_score_csv(tmp_path / "t.csv", *args, **options)


def test_a_first_column_fold_gives_the_folds_of_one_data_set(tmp_path):
    table = read(tmp_path, "fold,m1,m2\n1,0.8,0.7\n2,0.9,0.6\n3,0.7,0.7\n")
    assert (table.datasets, table.methods) == (("t",), ("m1", "m2"))
    assert table.scores["t", "m1"].tolist() == [0.8, 0.9, 0.7]
    assert table.test_ratio == {("t", "m1"): 1 / 2, ("t", "m2"): 1 / 2}


def test_percent_are_read_as_shares(tmp_path):
    table = read(tmp_path, "data,m1\na,81.5\nb,0.5\n")
    assert table.mean("a", "m1") == 0.815
    assert table.mean("b", "m1") == 0.005


def test_deviations_texts_and_the_line_of_means_are_no_scores(tmp_path):
    table = read(tmp_path, "data,size,kind,m1,m1_sd\na,10,x,90,1\nmean,10,,90,1\n", columns=())
    assert table.datasets == ("a",)
    assert table.methods == ("size", "m1")


def test_columns_can_be_chosen(tmp_path):
    assert read(tmp_path, "data,size,m1\na,10,90\n", columns=["m1"]).methods == ("m1",)


def test_an_empty_cell_is_a_missing_score(tmp_path):
    table = read(tmp_path, "data,m1,m2\na,90,\nb,80,70\n")
    assert table.mean("a", "m2") is None
    assert table.complete() == ("b",)


def test_several_data_sets_may_have_folds(tmp_path):
    table = read(tmp_path, "data,fold,m1\na,1,0.9\na,2,0.8\nb,1,0.7\nb,2,0.6\n")
    assert table.scores["b", "m1"].tolist() == [0.7, 0.6]


def test_each_data_set_has_the_ratio_of_its_own_folds(tmp_path):
    rows = [f"a,{fold},0.{fold}" for fold in range(1, 4)] + [f"b,{fold},0.{fold}" for fold in range(1, 6)]
    table = read(tmp_path, "data,fold,m1\n" + "\n".join(rows) + "\n")
    assert table.test_ratio == {("a", "m1"): 1 / 2, ("b", "m1"): 1 / 4}


@pytest.mark.parametrize("header", ["repeat,fold", "fold,run"])
def test_repeated_folds_have_the_ratio_of_one_repeat(tmp_path, header):
    """Two repeats of 5 folds: a fold leaves 1 of 5 parts out, so that test rows / training rows is 1/4, and not 1/9."""
    rows = []
    for repeat in range(1, 3):
        for fold in range(1, 6):
            rows.append(f"{repeat},{fold},0.5" if header.startswith("repeat") else f"{fold},{repeat},0.5")
    table = read(tmp_path, f"{header},m1\n" + "\n".join(rows) + "\n")
    assert (table.datasets, table.methods) == (("t",), ("m1",))
    assert len(table.scores["t", "m1"]) == 10
    assert table.test_ratio == {("t", "m1"): 1 / 4}


def test_the_ratio_may_be_given(tmp_path):
    table = read(tmp_path, "fold,m1\n1,0.5\n2,0.4\n", test_ratio=0.5)
    assert table.test_ratio == {("t", "m1"): 0.5}


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("data,m1\na,0.9\na,0.8\n", {}, "t.csv:3: data set 'a' is given twice"),
        ("data,m1\na,0.9,1\n", {}, "t.csv:2: 3 cells, the header has 2"),
        ("data;m1\na;0,9\n", {}, "t.csv:2: 2 cells, the header has 1; cells are parted by commas"),
        ("data,m1\na,x\n", {}, "no column of numbers"),
        ("data,m1\na,x\n", {"columns": ["m1"]}, "t.csv:2: m1: 'x' is no number"),
        ("data,sbc\na,1\n", {"columns": ["sbk"]}, "did you mean 'sbc'"),
        ("data,m1,m2\na,80,81\nb,oops,82\n", {}, "t.csv:3: column 'm1': found 'oops', expected a number"),
        ("repeat,row,p\n1,101,x\n2,3,x\n", {}, "t.csv: row on t: found 101, expected accuracy from 0 to 1"),
        ("data,m1\na,-3\n", {"metric": "error"}, "t.csv: m1 on a: found -3, expected error from 0 to 1"),
        ("data,m1\n", {}, "at least one row"),
        ("data,m1,m1\na,1,2\n", {}, "t.csv:1: 2 columns are called 'm1'"),
        ("data,m1\na,1_0\n", {"columns": ["m1"]}, "t.csv:2: m1: '1_0' is no number"),
    ],
)
def test_what_is_no_such_table_is_explained(tmp_path, text, options, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, text, **options)


@needs_cases
def test_stat_05_the_missing_fold_is_kept_as_missing():
    table = read_score_csv(CASES / "STAT-05.csv")
    assert np.flatnonzero(np.isnan(table.scores["STAT-05", "m1"])).tolist() == [1]


def test_a_paper_table_is_read_as_printed(shared):
    table = read_score_csv(shared / "papers" / "kohavi1997_table2.csv", "error", ["c45_error", "sbc_error"])
    means = 100 * table.means().mean(axis=0)
    # the paper's averages over all 37 sets
    assert means[1] == pytest.approx(18.13, abs=0.005)
