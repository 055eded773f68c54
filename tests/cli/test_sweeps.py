"""``nbf evaluate --sweep``: the table, the JSON and what is refused."""

import numpy as np
import pytest
from support.strict_json import strict

from nbframework import Recipe, evaluate, read_arff
from nbframework.data.catalog import bundled_path


def test_the_table_has_a_row_for_each_value(nbf):
    result = nbf("evaluate", "knn", "-d", "iris", "--folds", "3", "--sweep", "neighbourhood.k=1:9:4")
    lines = result.out.splitlines()
    assert (result.code, result.err) == (0, "")
    assert lines[0] == "knn: accuracy in percent by neighbourhood.k"
    assert [line.split()[0] for line in lines[1:7]] == ["k", "1", "5", "9", "optimum", "at"]
    scores = evaluate(Recipe.load("knn", **{"neighbourhood.k": 5}), read_arff(bundled_path("iris")), folds=3).scores()
    assert lines[3].split()[1] == f"{100 * scores['accuracy']:.2f}"
    assert "read off its test rows, so optimistic" in lines[-1]


def test_json_has_curves_optima_and_means(nbf):
    sets = ("-d", "iris", "-d", "wine", "--folds", "3")
    (found,) = strict(nbf("evaluate", "knn", *sets, "--sweep", "neighbourhood.k=3,1", "--honest", "--json").out)
    assert found["values"] == [1, 3]
    one, other = found["sets"]
    assert found["mean"] == pytest.approx(np.mean([one["scores"], other["scores"]], axis=0))
    assert found["mean_of_optima"] == pytest.approx((one["optimum"]["score"] + other["optimum"]["score"]) / 2)
    assert found["mean_of_nested"] == pytest.approx((one["nested"]["score"] + other["nested"]["score"]) / 2)
    assert len(one["nested"]["chosen"]) == 3
    assert set(one["nested"]["chosen"]) <= {1, 3}


def test_a_sweep_takes_the_place_of_the_clause_of_the_same_parameter(nbf):
    arguments = ("-d", "iris", "--folds", "3", "--sweep", "neighbourhood.k=1,7", "--json")
    (tuned,), (plain,) = (strict(nbf("evaluate", name, *arguments).out) for name in ("knn-tuned", "knn"))
    assert [entry["scores"] for entry in tuned["sets"]] == [entry["scores"] for entry in plain["sets"]]


def test_a_failing_data_set_costs_its_own_column(nbf, tmp_path):
    path = tmp_path / "text.arff"
    path.write_text("@relation r\n@attribute t string\n@attribute class {a,b}\n@data\nx,a\ny,b\nz,a\n")
    sets = ("-d", "iris", "-d", str(path), "--folds", "2")
    result = nbf("evaluate", "knn", *sets, "--sweep", "neighbourhood.k=1,3")
    assert result.code == 1
    assert "attribute 't' is string" in result.err
    assert "iris" in result.out.splitlines()[1]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--sweep", "neighbourhood.k"), 2, "expected PATH=VALUES"),
        (("--sweep", "neighbourhood.k="), 2, "expected PATH=VALUES"),
        (("--sweep", "neighbourhood.k=a:b"), 3, "found 'a' in 'a:b', expected numbers"),
        (("--sweep", "neighbourhood.k=9:1"), 3, "knn: neighbourhood.k: to: found 1, expected at least 9"),
        (("--sweep", "neighbourhood.k=0:5"), 3, "found 0, expected a whole number of at least 1"),
        (("--sweep", "neighbourhood.kk=1:5"), 3, "neighbourhood.kk: unknown parameter; did you mean 'k'?"),
        (("--sweep", "discretizer.bins=1:5"), 3, "--sweep: knn: discretizer.bins: unknown parameter (parameters of "),
        (("--sweep", "neighborhood.k=1:5"), 3, "did you mean 'neighbourhood'?"),
        (("--sweep", "neighbourhood.ties=1:5"), 3, "only numbers are tuned"),
        (("--honest",), 2, "--honest needs --sweep"),
        (("--sweep", "neighbourhood.k=1:5", "--predictions", "x.csv"), 2, "exclude each other"),
    ],
)
def test_a_wrong_sweep_says_what_was_expected(nbf, arguments, code, message):
    result = nbf("evaluate", "knn", "-d", "iris", *arguments)
    assert result.code == code
    assert message in result.err
