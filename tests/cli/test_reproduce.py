"""nbf reproduce: what needs no data of the papers."""

import json

import pytest


def test_without_a_paper_all_targets_are_listed(nbf):
    done = nbf("reproduce")
    assert done.code == 0
    assert "lawnb2018   table2" in done.out
    assert len(json.loads(nbf("reproduce", "--json").out)) == 16


def test_averages_of_a_printed_table_are_recomputed(nbf):
    done = nbf("reproduce", "kohavi1997", "slips")
    assert done.code == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert ["simple", "Bayes,", "all", "sets", "37", "18.13", "18.13"] in lines
    assert ["simple", "Bayes,", "without", "adult", "36", "18.19", "18.19"] in lines


def test_the_worked_example_passes_one_where_it_was_drawn(nbf):
    (found,) = json.loads(nbf("reproduce", "kappa2022", "figure1", "--json").out)
    rows = {row[0]: row[1:] for row in found["tables"][-1]["rows"]}
    # 2^-k + 7^-k + 8^-k against 3^-k + 2 4^-k + 5^-k, and the same with distances over a range of 10
    assert rows == {"as in the example": ["1.90", "1.92"], "by equation 10": ["-", "8.69"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kohavi97"], "no paper 'kohavi97'; did you mean 'kohavi1997'?"),
        (["kohavi1997", "table9"], "kohavi1997 has no target 'table9'; did you mean"),
        (["kohavi1997", "slips", "--readings"], "kohavi1997 slips has no readings"),
        (["kohavi1997", "figure1"], "37 data files not found"),
    ],
)
def test_what_cannot_be_run_ends_with_its_reason(nbf, arguments, message, monkeypatch):
    monkeypatch.delenv("NBFRAMEWORK_DATA", raising=False)
    done = nbf("reproduce", *arguments)
    assert done.code == 3
    assert message in done.err


def test_a_page_is_written(nbf, tmp_path):
    done = nbf("reproduce", "kohavi1997", "slips", "--output", str(tmp_path / "page"))
    assert done.code == 0
    text = (tmp_path / "page" / "kohavi1997-slips.md").read_text()
    assert "## slips: Averages that leave out a data set" in text
    assert "| simple Bayes, without adult" in text
