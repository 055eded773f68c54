"""Bias-variance studies: each repeat is a result, and equals that of `bias_variance`."""

import pytest

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.errors import RecipeError
from nbframework.evaluation.bias_variance import BiasVarianceProtocol, bias_variance
from nbframework.report.run import run_text
from nbframework.study.results import read_run
from nbframework.study.store import Store

from .test_runner import content

STUDY = """
study: parts
recipes: [sbc, gaussian-nb]
data: [iris]
protocol: {bias-variance: {repeats: 3, samples: 4, definition: domingos}}
"""


def test_the_repeats_are_those_of_bias_variance(ran, tmp_path):
    assert ran(STUDY).new == 6
    protocol = BiasVarianceProtocol(repeats=3, samples=4)
    wanted = bias_variance(Recipe.load("gaussian-nb"), read_arff(bundled_path("iris")), protocol, "domingos")
    with Store(tmp_path / "small.db") as store:
        results = read_run(store)
    for part in ("error", "bias", "variance"):
        with Store(tmp_path / "small.db") as store:
            table = read_run(store).table(part)
        assert table.scores["iris", "gaussian-nb"].tolist() == [getattr(repeat, part) for repeat in wanted.repeats]
        assert table.sd("iris", "gaussian-nb") == pytest.approx(getattr(wanted.sd, part), abs=1e-15)
        assert not table.higher_is_better
    assert results.described["metrics"] == ["error", "bias", "variance"]


def test_by_default_small_data_sets_have_ten_repeats_and_a_report_has_all_parts(ran, tmp_path):
    text = STUDY.replace("repeats: 3, ", "").replace("[sbc, gaussian-nb]", "[majority, laplace-1]")
    assert ran(text).new == 20
    with Store(tmp_path / "small.db") as store:
        report = run_text(read_run(store))
    assert report.startswith("parts: bias and variance by domingos, 10 times (once from 3000 rows on) 30 % of the rows")
    assert [line.split()[:2] for line in report.splitlines() if "(%)" in line] == [
        ["error", "(%)"],
        ["bias", "(%)"],
        ["variance", "(%)"],
    ]


def test_more_repeats_and_workers_change_nothing_that_was_there(ran, tmp_path):
    assert [ran(STUDY).new, ran(STUDY.replace("repeats: 3", "repeats: 5")).new] == [6, 4]
    ran(STUDY.replace("repeats: 3", "repeats: 5"), "two.db", jobs=2)
    assert content(tmp_path / "small.db")["score"] == content(tmp_path / "two.db")["score"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("samples: 4", "samples: 1", "samples: found '1', expected a whole number of at least 2"),
        ("samples: 4", "training_share: 1", "training_share: found '1', expected less than 1"),
        ("domingos", "domingo", "did you mean 'domingos'"),
        ("recipes", "metrics: [accuracy]\nrecipes", "known: error, bias, variance"),
        ("recipes", "predictions: true\nrecipes", "not with bias-variance"),
    ],
)
def test_what_does_not_fit_is_explained(planned, old, new, message):
    with pytest.raises(RecipeError, match=message):
        planned(STUDY.replace(old, new))
