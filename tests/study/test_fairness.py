"""The fairness linter: each finding names its subject and its figure."""

from dataclasses import replace

import numpy as np
import pytest

from nbframework import Attribute, Dataset, EvaluationProtocol, Recipe
from nbframework.study.fairness import data_facts, recipe_findings, scale_dependence, study_findings
from nbframework.study.matrix import LabelledRecipe


def dataset(columns, classes):
    attributes, values = [], []
    for name, column in columns.items():
        if isinstance(column[0], str):
            attributes.append(Attribute.nominal(name, tuple(dict.fromkeys(column))))
        else:
            attributes.append(Attribute.numeric(name))
        values.append(column)
    attributes.append(Attribute.nominal("class", tuple(sorted(set(classes)))))
    return Dataset.from_columns(attributes, [*values, classes], name="d")


def noise(rows=100, seed=1):
    return np.random.default_rng(seed).normal(size=rows)


CLASSES = ["a", "b"] * 50
TEN_FOLDS = EvaluationProtocol()


def labelled(*names):
    return [LabelledRecipe(name, Recipe.load(name)) for name in names]


def found(data, kind, protocol=TEN_FOLDS):
    findings = study_findings(labelled("laplace-m", "no-match-pc"), [("d", data_facts(data, protocol))])
    return [finding.text for finding in findings if finding.kind == kind]


def test_copies_are_counted():
    """Fifty rows, each given twice: wherever its copy is in another fold, a test row has one."""
    x = np.repeat(noise(50), 2)
    (text,) = found(dataset({"x": x}, [c for c in CLASSES[:50] for _ in (0, 1)]), "duplicates")
    assert text.startswith("50 of 100 rows repeat another one, and ")
    share = float(text.split(" and ")[1].split(" %")[0])
    assert 70 < share <= 100


def test_rows_that_differ_in_the_class_only_are_no_copies():
    assert not found(dataset({"x": np.repeat(noise(50), 2)}, CLASSES), "duplicates")


def test_copies_inside_the_training_rows_do_not_count():
    x = noise(100)
    x[1] = x[0] = x[3]
    classes = ["a"] * 50 + ["b"] * 50
    assert not found(dataset({"x": x}, classes), "duplicates", EvaluationProtocol("split", ranges="1-50 | 51-100"))


def test_unknown_values_are_equal_to_each_other():
    x = noise(100)
    x[::2] = np.nan
    assert found(dataset({"x": x}, CLASSES), "duplicates")


def test_a_nominal_attribute_with_a_value_for_each_row_is_an_identifier():
    names = [f"n{i}" for i in range(100)]
    assert found(dataset({"name": names}, CLASSES), "identifier") == [
        "attribute 'name' looks like an identifier: 100 values in 100 rows"
    ]


def test_a_number_that_counts_the_rows_is_an_identifier():
    (text,) = found(dataset({"id": np.arange(7, 107), "x": noise()}, CLASSES), "identifier")
    assert text == "attribute 'id' looks like a row number: each number from 7 to 106 once in 100 rows"


def test_row_numbers_are_found_among_shuffled_rows():
    shuffled = np.random.default_rng(1).permutation(100)
    assert len(found(dataset({"id": shuffled, "x": noise()}, CLASSES), "identifier")) == 1


def test_whole_numbers_of_which_no_two_are_alike_are_an_identifier():
    codes = np.random.default_rng(1).permutation(900_000)[:100] + 100_000.0
    assert found(dataset({"code": codes, "x": noise()}, CLASSES), "identifier") == [
        "attribute 'code' looks like an identifier: 100 whole numbers, no two alike"
    ]
    assert not found(dataset({"code": codes[:60], "x": noise(60)}, CLASSES[:60]), "identifier")
    assert found(dataset({"odd": np.arange(1, 200, 2.0), "x": noise()}, CLASSES), "identifier")


def test_a_count_of_any_length_is_no_identifier():
    areas = np.random.default_rng(1).permutation(900_000)[:100] + 0.0
    areas[0] = 7.0
    assert not found(dataset({"area": areas}, CLASSES), "identifier")


def test_a_measurement_is_no_identifier():
    assert not found(dataset({"x": np.sort(noise())}, CLASSES), "identifier")


def test_classes_that_cannot_be_in_every_fold_are_named():
    (text,) = found(dataset({"x": noise()}, ["a"] * 96 + ["c"] * 4), "absent-class")
    assert "c (4)" in text


def test_a_class_that_no_training_row_has_is_named_under_any_protocol():
    data = dataset({"x": noise()}, ["a"] * 60 + ["b"] * 40)
    (text,) = found(data, "absent-class", EvaluationProtocol("split", ranges="1-50 | 51-100"))
    assert text == "classes that are tested without a training row, the only fold: b (1)"
    data = dataset(
        {"x": noise(), "site": [str(i // 10) for i in range(100)]}, [c for c in "abcdefghij" for _ in range(10)]
    )
    (text,) = found(data, "absent-class", EvaluationProtocol("grouped", folds=2, attribute="site"))
    assert text.startswith(
        "classes that are tested without a training row, the number of 2 folds in brackets: a (1), b (1)"
    )


def test_a_class_that_a_thin_share_leaves_out_is_named():
    data = dataset({"x": noise()}, ["a"] * 88 + ["b"] * 12)
    assert not found(data, "absent-class")
    (text,) = found(data, "absent-class", EvaluationProtocol(training_share=0.02))
    assert text.startswith("classes that are tested without a training row, the number of 10 folds in brackets: b")


def test_the_attribute_whose_values_are_the_groups_is_judged_by_nobody():
    data = dataset({"x": noise(), "patient": [f"p{i}" for i in range(100)]}, CLASSES)
    assert found(data, "identifier")
    assert not found(data, "identifier", EvaluationProtocol("grouped", attribute="patient"))


def test_without_a_comparison_no_smallest_difference_is_looked_for():
    data = dataset({"x": noise()}, CLASSES)
    compared, alone = data_facts(data, TEN_FOLDS), data_facts(data, TEN_FOLDS, alpha=None)
    assert compared.smallest_difference > 0
    assert alone == replace(compared, smallest_difference=0.0)


def test_a_recipe_that_is_added_later_has_the_folds_judged(planned):
    text = "study: s\nrecipes: [{}]\ndata: [iris]\n"
    alone = planned(text.format("sbc"))
    assert "coarse-folds" not in [finding.kind for finding in alone.findings]
    compared = planned(text.format("sbc, laplace-1"), facts={data.facts_key: data.facts for data in alone.data})
    assert "coarse-folds" in [finding.kind for finding in compared.findings]


def test_splits_that_were_dealt_already_give_the_same_facts():
    data = dataset({"x": np.repeat(noise(50), 2)}, CLASSES)
    assert data_facts(data, TEN_FOLDS, TEN_FOLDS.splits(data)) == data_facts(data, TEN_FOLDS)


def test_coarse_folds_name_the_smallest_difference():
    """t(9) is 2.262, so odds are 2.262**2 (1/10 + 1/9) 10/9 = 1.2, and 1.2/2.2 of the step of 10 points is 5.45."""
    (text,) = found(dataset({"x": noise()}, CLASSES), "coarse-folds")
    assert text.startswith("folds of 10 rows: no difference below 5.5 points")


def test_the_smallest_difference_is_that_of_the_level():
    """t(9) is 3.250 at 0.01: odds of 2.477, and 2.477/3.477 of 10 points is 7.12."""
    data = dataset({"x": noise()}, CLASSES)
    facts = data_facts(data, TEN_FOLDS, alpha=0.01)
    texts = [f.text for f in study_findings(labelled("laplace-m", "no-match-pc"), [("d", facts)], 0.01)]
    assert texts == [
        "folds of 10 rows: no difference below 7.1 points of accuracy can be significant by the corrected t at 0.01"
    ]


def test_a_large_data_set_has_fine_folds():
    x = noise(2000)
    assert not found(dataset({"x": x}, ["a", "b"] * 1000), "coarse-folds")


def test_a_single_recipe_is_compared_with_nothing():
    facts = data_facts(dataset({"x": noise()}, CLASSES), TEN_FOLDS)
    assert study_findings(labelled("sbc"), [("d", facts)]) == []


def test_recipes_with_different_preprocessing_are_listed():
    finding = next(f for f in recipe_findings(labelled("sbc", "gaussian-nb")) if "discretizer" in f.text)
    assert finding.kind == "preprocessing"
    assert finding.text.startswith("2 different discretizer parts")
    assert "entropy-mdl" in finding.text


def test_recipes_with_the_same_preprocessing_are_not():
    kinds = [finding.kind for finding in recipe_findings(labelled("laplace-m", "no-match-pc"))]
    assert kinds == []


def test_a_sweep_on_the_test_folds_is_called_optimistic():
    (finding,) = recipe_findings(labelled("no-match-0", "no-match-0.1", "no-match-0.5"))
    assert finding.kind == "chosen-on-test"
    assert finding.text.startswith("3 recipes differ in parameters only (no-match-0, no-match-0.1, no-match-0.5)")


def test_a_recipe_that_chooses_among_the_training_rows_is_not():
    assert "chosen-on-test" not in [f.kind for f in recipe_findings(labelled("knn", "knn-tuned"))]


def test_the_same_recipe_twice_is_no_choice():
    twice = [LabelledRecipe(label, Recipe.load("sbc")) for label in ("one", "other")]
    assert recipe_findings(twice) == []


@pytest.mark.parametrize("name", ["sbc", "gaussian-nb", "laplace-1"])
def test_scales_do_not_matter_to_naive_bayes(name):
    assert scale_dependence(Recipe.load(name)) == pytest.approx(0.0, abs=1e-6)


def test_a_distance_without_scale_is_named_with_its_figure():
    (finding,) = [f for f in recipe_findings(labelled("knn")) if f.kind == "unscaled-distance"]
    assert finding.subject == "knn"
    assert float(finding.text.rpartition(" ")[2]) > 0.1


def test_a_scaled_distance_is_none():
    assert scale_dependence(Recipe.load("kappa-60")) == pytest.approx(0.0, abs=1e-9)


def test_a_recipe_that_takes_no_numbers_cannot_be_probed():
    class Stubborn:
        def build(self):
            from nbframework.errors import EvaluationError

            raise EvaluationError("no")

    assert scale_dependence(Stubborn()) is None
