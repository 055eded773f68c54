"""Study files: strict, every fault at once with its place."""

from pathlib import Path

import numpy as np
import pytest

from nbframework.errors import DataError, RecipeError
from nbframework.study.study import load_study

HEAD = "study: s\nrecipes: [sbc]\ndata: [iris]\n"


def loaded(tmp_path, text):
    path = tmp_path / "s.yaml"
    path.write_text(text)
    return load_study(path)


def faults(tmp_path, text):
    with pytest.raises(RecipeError) as caught:
        loaded(tmp_path, text)
    return [line.replace(str(tmp_path / "s.yaml"), "s.yaml") for line in str(caught.value).splitlines()]


def test_all_faults_are_reported_at_once_with_their_places(tmp_path):
    text = """study: s
recipes: [sbc, sbk]
data: [iris]
protocl: {cross-validation: {folds: 10}}
metrics: [acuracy]
limits: {seconds: -1}
"""
    found = faults(tmp_path, text)
    assert len(found) == 4
    assert found[0].startswith("s.yaml:2:16: recipes[1]: no recipe 'sbk'; did you mean 'sbc'?")
    assert found[1] == "s.yaml:4:1: protocl: unknown key; did you mean 'protocol'?"
    assert found[2].startswith("s.yaml:5:11: metrics[0]: found 'acuracy', which is not known; did you mean 'accuracy'?")
    assert found[3] == "s.yaml:6:19: limits.seconds: found '-1', expected a number of more than 0"


@pytest.mark.parametrize(
    ("protocol", "message"),
    [
        ("{cross-validation: {folds: 1}}", "protocol.cross-validation.folds: found '1', expected a whole number"),
        ("{cros-validation: {}}", "did you mean 'cross-validation'"),
        (
            "{holdout: {test_share: 2}}",
            "protocol.holdout.test_share: found '2', expected a number of more than 0 and at",
        ),
        ("{holdout: {test_rows: 5, test_share: 0.5}}", "exclude each other"),
        ("{split: {}}", "key 'ranges' is required"),
        ("{grouped: {}}", "key 'attribute' is required"),
        ("{learning-curve: {}}", "key 'shares' is required"),
        ("{learning-curve: {shares: [0.5, 0.5]}}", "a share is given twice"),
        ("{leave-one-out: {folds: 3}}", "unknown key"),
        ("[holdout]", "expected one protocol"),
    ],
)
def test_a_wrong_protocol_is_explained(tmp_path, protocol, message):
    assert message in faults(tmp_path, f"{HEAD}protocol: {protocol}\n")[0]


def test_shares_that_are_no_shares_are_not_called_repeated(tmp_path):
    found = faults(tmp_path, f"{HEAD}protocol: {{learning-curve: {{shares: [0, 2]}}}}\n")
    assert len(found) == 2
    assert all("expected a number of more than 0 and at most 1" in fault for fault in found)


@pytest.mark.parametrize("protocol", ["learning-curve", "{learning-curve: }"])
def test_a_protocol_without_its_parameters_is_pointed_at(tmp_path, protocol):
    (fault,) = faults(tmp_path, f"{HEAD}protocol: {protocol}\n")
    assert f".yaml:{HEAD.count(chr(10)) + 1}:11: protocol.learning-curve: key 'shares' is required" in fault


@pytest.mark.parametrize(
    ("protocol", "kind", "ranges"),
    [
        ("leave-one-out", "leave-one-out", ""),
        ("{split: 1-100 | 101-150}", "split", "1-100 | 101-150"),
        ("{split: {ranges: 1-100 | 101-150}}", "split", "1-100 | 101-150"),
        ("{weka-folds: {repeats: 10}}", "weka-folds", ""),
    ],
)
def test_protocols_are_read(tmp_path, protocol, kind, ranges):
    base = loaded(tmp_path, f"{HEAD}protocol: {protocol}\n").protocol.base
    assert (base.kind, base.ranges) == (kind, ranges)


def test_10_fold_cross_validation_is_the_default(tmp_path):
    base = loaded(tmp_path, HEAD).protocol.base
    assert (base.kind, base.folds, base.repeats, base.seed) == ("cross-validation", 10, 1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("study: s\ndata: [iris]\n", "a study needs at least one recipe"),
        ("study: s\nrecipes: [sbc]\n", "a study needs data sets"),
        ("recipes: [sbc]\ndata: [iris]\n", "key 'study' is required"),
        ("study: s\nrecipes: [sbc, sbc]\ndata: [iris]\n", "2 recipes are called 'sbc'"),
        ("study: s\nrecipes: [sbc]\ndata: [iris, iris]\n", "the name 'iris' is given to 2"),
        (HEAD + "compare: {baseline: sbk}\n", "did you mean 'sbc'"),
        (HEAD + "compare: {tests: [wilcoxen]}\n", "did you mean 'wilcoxon'"),
        (HEAD + "compare: {metric: error}\n", "expected one of accuracy"),
        (HEAD + "predictions: maybe\n", "expected true or false"),
        (HEAD + "suite: kohavi97\n", "did you mean 'kohavi1997'"),
        (HEAD.replace("[sbc]", "[{recipe: sbc, set: {estimatr.f: 1}}]"), "did you mean 'estimator'"),
    ],
)
def test_what_is_missing_or_misspelt_is_named(tmp_path, text, message):
    assert message in faults(tmp_path, text)[0]


def test_a_recipe_beside_the_study_can_be_named_by_its_file(tmp_path):
    (tmp_path / "mine.yaml").write_text("recipe: mine\nextends: sbc\n")
    study = loaded(tmp_path, "study: s\nrecipes: [mine]\ndata: [iris]\n")
    assert study.recipes[0].recipe.name == "mine"


def test_a_changed_recipe_gets_its_label(tmp_path):
    text = "study: s\nrecipes: [{recipe: laplace-1, label: L5, set: {estimator.f: 5}}]\ndata: [iris]\n"
    (entry,) = loaded(tmp_path, text).recipes
    assert (entry.label, entry.recipe.estimator.f) == ("L5", 5.0)


def test_an_unknown_study_gets_the_nearest_name():
    with pytest.raises(RecipeError, match="did you mean 'kohavi1997-table1'"):
        load_study("kohavi1997-table-1")


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "configs" / "studies").glob("*.yaml")), ids=str)
def test_shipped_studies_load_and_are_called_as_their_files(path):
    assert load_study(path).name == path.stem


# --- matrix


def matrix(tmp_path, rest):
    over = "{discretizer.bins: [5, 10], estimator: [laplace, frequency]}"
    text = f"study: s\nmatrix:\n  base: laplace-1\n  over: {over}\n{rest}data: [iris]\n"
    return [entry.label for entry in loaded(tmp_path, text).recipes]


def test_a_matrix_takes_all_combinations(tmp_path):
    assert matrix(tmp_path, "") == ["bins=5 laplace", "bins=5 frequency", "bins=10 laplace", "bins=10 frequency"]


def test_a_matrix_excludes_then_includes(tmp_path):
    rest = "  exclude: [{estimator: frequency}]\n  include: [{discretizer.bins: 7, estimator: frequency}]\n"
    assert matrix(tmp_path, rest) == ["bins=5 laplace", "bins=10 laplace", "bins=7 frequency"]


def test_a_matrix_fills_in_its_label(tmp_path):
    assert matrix(tmp_path, "  label: '{estimator} with {discretizer.bins}'\n")[0] == "laplace with 5"


def test_the_cells_of_a_matrix_are_the_changed_recipes(tmp_path):
    over = "{estimator: [{laplace: {f: 2}}, {m-estimate: {m: 3}}]}"
    text = f"study: s\nmatrix: {{base: laplace-1, over: {over}}}\ndata: [iris]\n"
    entries = loaded(tmp_path, text).recipes
    assert [entry.label for entry in entries] == ["laplace f=2", "m-estimate m=3"]
    assert (entries[0].recipe.estimator.f, entries[1].recipe.estimator.m) == (2.0, 3.0)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("  exclude: [{discretizer.bins: 6}]\n", "excludes no cell"),
        ("  include: [{estimator: laplace}]\n", "discretizer.bins is missing"),
        ("  exclude: [{estimater: laplace}]\n", "did you mean 'estimator'"),
    ],
)
def test_a_matrix_that_does_not_fit_is_explained(tmp_path, rest, message):
    with pytest.raises(RecipeError, match=message):
        matrix(tmp_path, rest)


def test_a_wrong_value_in_a_matrix_is_found_before_anything_runs(tmp_path):
    text = "study: s\nmatrix: {base: laplace-1, over: {discretizer.bins: [5, 0]}}\ndata: [iris]\n"
    assert "discretizer.bins" in faults(tmp_path, text)[0]


def test_a_fault_of_many_cells_is_said_once_at_the_value_that_it_is_about(tmp_path):
    text = """study: s
matrix:
  base: laplace-1
  over:
    discretizer.bins: [5, 10, 0]
    estimator: [laplace, laplase]
data: [iris]
"""
    found = faults(tmp_path, text)
    assert [line.partition(" matrix")[0] for line in found] == ["s.yaml:5:31:", "s.yaml:6:26:"]
    assert found[0].endswith("matrix[0].over.discretizer.bins: found '0', expected a whole number of at least 1")
    assert "matrix[0].over.estimator: no estimator 'laplase'; did you mean 'laplace'?" in found[1]


def test_a_base_that_does_not_exist_is_said_once(tmp_path):
    text = "study: s\nmatrix: {base: laplase-1, over: {estimator.f: [1, 2, 3]}}\ndata: [iris]\n"
    (found,) = faults(tmp_path, text)
    assert "did you mean 'laplace-1'" in found


SELECTED = """study: s
recipes: [gaussian-nb]
data:
  - iris
  - {file: iris, name: petals, attributes: [%s], incomplete_rows: remove}
protocol: {cross-validation: {folds: 3, stratified: false}}
"""


def test_attributes_of_a_data_set_can_be_selected(planned):
    plan = planned(SELECTED % "petal_length, petal_width")
    assert [entry.attributes for entry in plan.data] == [4, 2]
    assert [attribute.name for attribute in plan.data[1].read().inputs] == ["petal_length", "petal_width"]


def test_a_selection_has_results_of_its_own(planned):
    plan = planned(SELECTED % "petal_length")
    assert len({task.key for task in plan.tasks}) == 2


def test_a_selected_attribute_that_is_none_is_found_before_the_first_fold(planned):
    with pytest.raises(DataError, match="petals: no attribute 'petal_widht'; did you mean 'petal_width'"):
        planned(SELECTED % "petal_widht")


def test_folds_need_not_be_stratified(planned):
    (task, _) = planned(SELECTED % "petal_length").tasks
    assert task.protocol.described() == "3-fold unstratified cross-validation, seed 1"
    sizes = {
        tuple(np.bincount(task.data.read().classes[split.test])) for split in task.protocol.splits(task.data.read())
    }
    assert sizes != {(17, 17, 16), (17, 16, 17), (16, 17, 17)}
    assert all(sum(size) == 50 for size in sizes)


def test_a_matrix_of_too_many_recipes_is_refused_before_it_is_made(tmp_path):
    axes = ", ".join(f"estimator.f{index}: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]" for index in range(20))
    found = faults(tmp_path, f"study: s\nmatrix: {{base: laplace-1, over: {{{axes}}}}}\ndata: [iris]\n")
    assert "over: makes 100000000000000000000 recipes, at most 2000 are allowed" in str(found)
