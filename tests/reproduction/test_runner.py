"""A target run on a bundled data set, with its evidence; what was run is not run again."""

import pytest

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.evaluation.evaluate import EvaluationProtocol, evaluate
from nbframework.reproduction.definition import load_target
from nbframework.reproduction.outcome import outcome_data, reproduce
from nbframework.reproduction.page import markdown
from nbframework.reproduction.runner import Runner, needed

STUDY = """\
study: irises
recipes: [{recipe: sbc, label: nb}, {recipe: gaussian-nb, label: normal}]
data: [iris]
protocol: {cross-validation: {folds: 5, seed: 1}}
metrics: [accuracy]
"""
TARGET = """\
reproduction: paper-iris
title: One data set
source: A paper, Table 3
study: %s
printed: iris
unit: percent
columns: {nb: nb, normal: normal}
averages: {mean: {}}
tolerance: 0.005
explanations:
  - {rows: [iris], columns: [nb], reason: normal distributions, evidence: {recipe: gaussian-nb}}
  - {rows: [iris], columns: [normal], reason: other folds, evidence: {seeds: [2, 3, 4], stratified: false}}
"""


def accuracy(recipe, **protocol):
    found = evaluate(Recipe.load(recipe), read_arff(bundled_path("iris")), **protocol).scores(["accuracy"])["accuracy"]
    return 100 * found


@pytest.fixture
def made(tmp_path):
    """Return the target, whose nb is printed as the figure of normal distributions, and a runner."""

    def of(normal):
        study = tmp_path / "irises.yaml"
        study.write_text(STUDY)
        (tmp_path / "paper-iris.yaml").write_text(TARGET % study)
        lines = ["data set,nb,normal", f"iris,{accuracy('gaussian-nb', folds=5, seed=1):.3f},{normal:.3f}"]
        (tmp_path / "iris.csv").write_text("\n".join(lines) + "\n")
        return load_target(tmp_path / "paper-iris.yaml", tmp_path), Runner(tmp_path / "results")

    return of


def test_another_recipe_closes_the_gap(made):
    target, runner = made(accuracy("gaussian-nb", folds=5, seed=1))
    study = runner.study(target, quick=False)
    judged = runner.judged(runner.measured(target, study), study, quick=False)
    assert [cell.verdict for cell in judged] == ["explained", "within"]
    assert judged[0].ours == pytest.approx(accuracy("sbc", folds=5, seed=1))
    assert (judged[0].why, judged[0].run) == ("normal distributions", f"{judged[0].printed:.3f}")


def test_other_seeds_are_left_out_of_a_quick_run(made):
    seeds = [
        100
        * evaluate(
            Recipe.load("gaussian-nb"),
            read_arff(bundled_path("iris")),
            protocol=EvaluationProtocol(folds=5, seed=seed, stratified=False),
        ).scores(["accuracy"])["accuracy"]
        for seed in (2, 3, 4)
    ]
    target, runner = made((min(seeds) + max(seeds)) / 2 + 0.01 if min(seeds) < max(seeds) else seeds[0])
    study = runner.study(target, quick=False)
    measured = runner.measured(target, study)
    assert runner.judged(measured, study, quick=False)[1].verdict == "explained"
    assert runner.judged(measured, study, quick=True)[1].verdict == "unexplained"


def test_what_was_run_is_not_run_again(made):
    target, runner = made(90.0)
    told = []
    runner.watch = lambda _: told.append
    study = runner.study(target, quick=False)
    first = runner.measured(target, study).value("iris", "nb")
    # two recipes in five folds
    assert len(told) == 10
    assert runner.measured(target, study).value("iris", "nb") == first
    assert len(told) == 10


def test_a_cell_names_the_recipes_and_data_sets_behind_it(made):
    target, runner = made(90.0)
    measured = runner.measured(target, runner.study(target, quick=False))
    assert needed(measured, ("mean", "normal")) == (("normal",), ("iris",))


def test_an_outcome_has_its_verdicts_claims_and_page(made, tmp_path, monkeypatch):
    target, runner = made(90.0)
    monkeypatch.setattr("nbframework.reproduction.outcome.find_definition", lambda *_: target.path)
    monkeypatch.setattr("nbframework.reproduction.outcome.load_target", lambda _: target)
    found = reproduce("paper", "iris", runner)
    assert [cell.verdict for cell in found.judged] == ["explained", "unexplained"]
    assert [cell["verdict"] for cell in outcome_data(found)["cells"]] == ["explained", "unexplained"]
    text = markdown([found], "A paper", charts=False)
    assert "| iris   |      0 |         1 |           1 |" in text
    assert f"{found.judged[0].printed:.3f} / {found.judged[0].ours:.3f} e" in text
    assert "- explained: normal distributions: iris nb, so run " in text
