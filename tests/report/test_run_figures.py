"""Which figures a run's content supports, and the numbers in them."""

import numpy as np
import pytest
from support.made_up_runs import store_run

from nbframework import Recipe
from nbframework.report.comparison import run_question
from nbframework.report.run_figures import run_charts
from nbframework.report.varying import difference, families, short
from nbframework.study.decomposition import DecompositionProtocol
from nbframework.study.results import read_run
from nbframework.study.store import Store


def charts(path):
    with Store(path) as store:
        results = read_run(store)
        return {chart.name: chart for chart in run_charts(results, run_question(results))}


def laplace(*values):
    return [(f"laplace-{f}", Recipe.load("laplace-1", **{"estimator.f": f})) for f in values]


def accuracy(data, recipe, fold):
    return {"accuracy": 0.5 + recipe / 8 + (fold % 2 - 0.5) / 64}


@pytest.fixture
def three(tmp_path):
    """Three recipes that differ in f, on three data sets."""
    return store_run(tmp_path / "r.db", ["a", "b", "c"], laplace(1, 2, 5), accuracy)


def test_a_run_of_recipes_that_differ_in_one_number(three):
    found = charts(three)
    assert list(found) == ["error-differences", "accuracy-by-estimator.f", "critical-differences", "time-accuracy"]
    curve = found["accuracy-by-estimator.f"]
    assert curve.values == (1.0, 2.0, 5.0)
    assert curve.lines[0] == ("a", (0.5, 0.625, 0.75))
    assert curve.mean == (0.5, 0.625, 0.75)


def test_differences_are_those_of_errors_and_the_best_method_is_first(three):
    chart = charts(three)["error-differences"]
    assert (chart.methods, chart.baseline) == (("laplace-5", "laplace-2"), "laplace-1")
    assert chart.difference(0, 0) == pytest.approx(-0.25)
    assert chart.ratio(0, 0) == pytest.approx(0.5)


def test_ranks_are_those_of_friedmans_test(three):
    chart = charts(three)["critical-differences"]
    assert chart.ranks == (3.0, 2.0, 1.0)
    # Demsar (2006), Table 5: q of 3 methods at 0.05 is 2.343
    assert chart.critical_difference == pytest.approx(2.343 * np.sqrt(3 * 4 / (6 * 3)), abs=1e-3)


def test_times_are_the_mean_processor_seconds_of_a_fold(three):
    chart = charts(three)["time-accuracy"]
    assert chart.seconds == pytest.approx((0.001, 0.002, 0.003))
    assert chart.front == (True, True, True)


def test_many_methods_are_shared_out_over_several_figures(tmp_path):
    found = charts(store_run(tmp_path / "r.db", ["a", "b"], laplace(*range(1, 9)), accuracy, folds=2))
    assert [name for name in found if name.startswith("error")] == [
        "error-differences",
        "error-differences-2",
        "error-differences-3",
    ]


def test_one_recipe_on_one_data_set_has_no_figure(tmp_path):
    assert charts(store_run(tmp_path / "r.db", ["a"], laplace(1), accuracy)) == {}


def test_stored_predictions_give_a_reliability_diagram(tmp_path):
    log_posterior = np.log(np.array([[0.75, 0.25], [0.25, 0.75], [0.75, 0.25], [0.75, 0.25]]))
    # the last row is of unknown class
    truth = np.array([0, 0, 0, 2])
    path = store_run(
        tmp_path / "r.db", ["a"], laplace(1), accuracy, folds=2, predictions=lambda _: (log_posterior, truth)
    )
    ((name, found),) = charts(path)["reliability"].methods
    (used,) = [b for b in found.bins if b.weight]
    assert (name, used.weight, used.low) == ("laplace-1", 6.0, 0.7)
    assert used.confidence == pytest.approx(0.75)
    assert used.accuracy == pytest.approx(2 / 3)


def test_a_bias_variance_run_has_stacks(tmp_path):
    def parts(data, recipe, fold):
        return {"error": 0.25, "bias": 0.125 * (recipe + 1), "variance": 0.25 - 0.125 * (recipe + 1)}

    protocol = DecompositionProtocol(repeats=2)
    names = ("error", "bias", "variance")
    path = store_run(tmp_path / "r.db", ["a", "b"], laplace(1, 2), parts, metrics=names, protocol=protocol, folds=2)
    chart = charts(path)["bias-variance"]
    assert chart.bias.tolist() == [[0.125, 0.25], [0.125, 0.25]]
    assert chart.ratio(0, 1) == 1.0


def test_without_accuracy_and_error_there_are_no_error_differences(tmp_path):
    path = store_run(
        tmp_path / "r.db",
        ["a", "b"],
        laplace(1, 2, 3),
        lambda _d, r, f: {"auc": 0.5 + r / 8 + f / 100},
        metrics=["auc"],
    )
    found = charts(path)
    assert "error-differences" not in found
    assert "auc-by-estimator.f" in found


def recipe(k, f, name="x"):
    return {"recipe": name, "neighbourhood": {"nearest": {"k": k, "ties": "keep"}}, "estimator": {"laplace": {"f": f}}}


def test_a_grid_gives_a_family_for_each_value_of_the_other_number():
    found = families({f"{k} {f}": recipe(k, f, f"{k}-{f}") for k in (1, 5, 9) for f in (0.5, 2.0)})
    assert [(family.path, family.values) for family in found] == [("neighbourhood.k", (1.0, 5.0, 9.0))] * 2
    assert [difference(family, found) for family in found] == ["estimator.f = 0.5", "estimator.f = 2"]


def test_two_values_are_no_curve():
    assert families({"a": recipe(1, 1.0), "b": recipe(2, 1.0)}) == []


def test_paths_are_those_of_overrides():
    assert short("neighbourhood.kappa-kernel.kappa") == "neighbourhood.kappa"
    assert short("tie_tolerance") == "tie_tolerance"
