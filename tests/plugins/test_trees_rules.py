"""C4.5 rules: generalization, selection, order and default, each worked by hand."""

import csv
import re
from math import comb, log2

import numpy as np
import pytest
from support.builders import posteriors, shares, table
from support.paths import SHARED, absent

from nbframework import Dataset, Recipe, evaluate, read_arff
from nbframework.evaluation.evaluate import EvaluationProtocol
from nbframework_trees.c45 import C45
from nbframework_trees.c45_rules import C45Rules, default_class
from nbframework_trees.rules import Condition, Rule, generalized, rules_of
from nbframework_trees.selecting import ClassRules, _Climb, rule_bits
from nbframework_trees.table import Table


def tabled(data: Dataset) -> Table:
    return Table.of(Recipe(classifier=C45Rules()).build().composition.encode(data)[1])


def worded(rules: "list[Rule] | tuple[Rule, ...]", data: Dataset) -> list[str]:
    """Rules as ``"a=x b<=2 -> p"``."""
    words = []
    for rule in rules:
        tests = []
        for condition in rule.conditions:
            attribute = data.inputs[condition.attribute]
            value = attribute.values[int(condition.value)] if attribute.is_nominal else f"{condition.value:g}"
            tests.append(f"{attribute.name}{condition.relation}{value}")
        words.append(f"{' '.join(tests)} -> {data.class_values[rule.conclusion]}")
    return words


def found_rules(data: Dataset) -> list[str]:
    return worded(Recipe(classifier=C45Rules()).build().fit(data).model.rules, data)


AND = "x {a,b}; y {a,b}; class {no,yes}"
AND_ROWS = "a a yes; " * 10 + "a b no; " * 10 + "b a no; " * 10 + "b b no; " * 10


def test_every_leaf_with_rows_makes_a_rule() -> None:
    data = table("x {a,b,c}; y numeric; class {no,yes}", "a 1 no; " * 5 + "a 2 yes; " * 5 + "b 1 yes; " * 9)
    rules = rules_of(C45(unpruned=True).tree(tabled(data)), tabled(data))
    assert sorted(worded(rules, data)) == ["x=a y<=1 -> no", "x=a y>1 -> yes", "x=b -> yes"]


def test_a_conjunction_is_found_with_its_complement() -> None:
    assert found_rules(table(AND, AND_ROWS)) == ["x=b -> no", "y=b -> no", "x=a y=a -> yes"]


def test_conditions_that_tell_nothing_are_left_out() -> None:
    data = table(AND, AND_ROWS)
    rule = Rule((Condition(0, "=", 1.0), Condition(1, "=", 1.0)), 0)
    # x=b and y=b are equally good alone, each covers 20 rows without error; the first goes first
    assert worded([generalized(rule, tabled(data), 0.25)], data) == ["y=b -> no"]


def test_conditions_that_keep_errors_out_stay() -> None:
    data = table(AND, AND_ROWS)
    rule = Rule((Condition(0, "=", 0.0), Condition(1, "=", 0.0)), 1)
    assert generalized(rule, tabled(data), 0.25) == rule


def test_a_condition_goes_where_more_rows_outweigh_more_errors() -> None:
    # with x=a: 3 rows without error, expected rate 0.370; without: 40 rows with 1 error, expected rate 0.066
    data = table("x {a,b}; y {u,v}; class {no,yes}", "a u yes; " * 3 + "b u yes; " * 36 + "b u no; " + "b v no; " * 9)
    rule = Rule((Condition(0, "=", 0.0), Condition(1, "=", 0.0)), 1)
    assert worded([generalized(rule, tabled(data), 0.25)], data) == ["y=u -> yes"]


def test_an_unknown_value_fails_every_condition() -> None:
    values = np.array([[0.0, 1.0, np.nan], [1.0, 5.0, np.nan]])
    assert Condition(0, "=", 0.0).holds(values).tolist() == [True, False, False]
    assert Condition(1, "<=", 2.0).holds(values).tolist() == [True, False, False]
    assert Condition(1, ">", 2.0).holds(values).tolist() == [False, True, False]


def test_the_bits_of_a_rule_name_attributes_values_and_cuts_in_any_order() -> None:
    # two attributes; x has 2 values; y has 5 distinct numbers, so 4 cuts with 2 sides each
    data = table("x {a,b}; y numeric; class {no,yes}", "a 1 no; a 2 no; b 3 yes; b 4 yes; b 5 yes")
    rule = Rule((Condition(0, "=", 0.0), Condition(1, "<=", 2.0)), 0)
    assert rule_bits(rule, tabled(data)) == pytest.approx((1 + 1) + (1 + 3) - log2(2))


def described(covers: list[list[int]], member: list[int], bits: list[float]) -> ClassRules:
    return ClassRules(np.array(covers, dtype=bool), np.array(bits), np.array(member, dtype=bool), np.ones(len(member)))


def test_the_description_of_a_subset_counts_its_exceptions_and_half_its_rules() -> None:
    rules = described([[1] * 4 + [0] * 6], [1, 1, 1, 0, 1, 1, 0, 0, 0, 0], [6.0])
    # 4 rows covered, 1 of them wrongly; 6 rows not covered, 2 of them members
    found = rules.description(np.array(4.0), np.array(3.0), np.array(6.0), np.array(1.0))
    assert found == pytest.approx(log2(comb(4, 1)) + log2(comb(6, 2)) + 0.5 * 6)


def test_a_rule_within_another_is_not_chosen() -> None:
    rules = described([[1] * 8 + [0] * 8, [1] * 4 + [0] * 12], [1] * 8 + [0] * 8, [4.0, 4.0])
    assert rules.chosen().tolist() == [0]


def test_rules_longer_than_the_exceptions_they_save_are_not_chosen() -> None:
    # without a rule: log2 C(16, 1) = 4 bits; with it: half of 9 bits
    assert described([[1] + [0] * 15], [1] + [0] * 15, [9.0]).chosen().tolist() == []
    assert described([[1] + [0] * 15], [1] + [0] * 15, [7.0]).chosen().tolist() == [0]


@pytest.mark.parametrize("seed", range(8))
def test_the_greedy_search_counts_what_a_direct_count_gives(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = ClassRules(
        rng.random((9, 80)) < rng.random((9, 1)) * 0.4,
        rng.uniform(2, 9, 9),
        rng.random(80) < 0.4,
        rng.integers(1, 3, 80),
    )
    length, inside = _Climb(rules, rng.random(9) < 0.5).run()
    covered = rules.covers[inside].any(axis=0)
    direct = rules.description(
        rules.weights[covered].sum(),
        rules.weights[covered & rules.is_member].sum(),
        rules.bits[inside].sum(),
        np.array(float(inside.sum())),
    )
    assert length == pytest.approx(float(direct))
    best = np.zeros(9, dtype=bool)
    best[rules.chosen()] = True
    covered = rules.covers[best].any(axis=0)
    exhaustive = rules.description(
        rules.weights[covered].sum(),
        rules.weights[covered & rules.is_member].sum(),
        rules.bits[best].sum(),
        np.array(float(best.sum())),
    )
    assert exhaustive <= length + 1e-9


def test_the_default_is_the_most_frequent_uncovered_class_then_the_more_frequent_one() -> None:
    rows = tabled(table("x {a,b}; class {no,yes}", "a no; a yes; b yes; b yes; b no"))
    assert default_class(rows, np.array([True, True, False, False, False])) == 1
    assert default_class(rows, np.array([True, False, False, False, True])) == 0
    assert default_class(rows, np.zeros(5, dtype=bool)) == 1


def test_probabilities_are_the_frequencies_of_the_rows_that_the_rule_covers() -> None:
    training = table(AND, AND_ROWS + "; b b yes")
    query = table(AND, "b a no; a b no; a a no")
    # x=b: 20 no, 1 yes; y=b: 20 no, 1 yes; x=a y=a: 10 yes
    found = posteriors(Recipe(classifier=C45Rules()), training, query)
    np.testing.assert_allclose(found, shares("20/21 1/21; 20/21 1/21; 0 1"), atol=1e-15)


def test_a_row_that_no_rule_covers_gets_the_frequencies_of_the_uncovered_rows() -> None:
    training = table(AND, AND_ROWS + "; ? ? yes; ? ? yes; ? ? no")
    found = posteriors(Recipe(classifier=C45Rules()), training, table(AND, "? ? no"))
    np.testing.assert_allclose(found, shares("1/3 2/3"), atol=1e-15)


def test_a_data_set_that_needs_no_rule_gets_the_class_frequencies() -> None:
    training = table("x {a,b}; class {no,yes}", "a no; a no; b no; b yes")
    np.testing.assert_allclose(posteriors(Recipe(classifier=C45Rules()), training, training)[0], [0.75, 0.25])


def test_a_row_of_weight_two_is_the_row_twice() -> None:
    once = table(AND, AND_ROWS.replace("b b no; " * 10, "b b no {2}; " * 5))
    np.testing.assert_allclose(
        posteriors(Recipe(classifier=C45Rules()), once, table(AND, "b b no; a a no")),
        posteriors(Recipe(classifier=C45Rules()), table(AND, AND_ROWS), table(AND, "b b no; a a no")),
    )


DATASETS = SHARED / "datasets"
needs_datasets = pytest.mark.skipif(not DATASETS.is_dir(), reason=absent("datasets"))
TABLE_2 = ("wine", "cars", "breast", "crx", "pima", "solar", "satimage")


@needs_datasets
@pytest.mark.parametrize(("classifier", "column", "limit"), [("c45", "c45", 1.5), ("rules", "c45rules", 2.5)])
def test_errors_are_near_those_of_table_2(classifier: str, column: str, limit: float) -> None:
    """Mean absolute difference in points to Kohavi, Becker & Sommerfield (1997) on sets of little spread."""
    part = C45() if classifier == "c45" else C45Rules()
    recipe = Recipe(classifier=part, ties="larger-class")
    with (DATASETS / "catalog.csv").open(newline="") as stream:
        catalog = {
            found[1]: row
            for row in csv.DictReader(stream)
            if (found := re.search("kohavi1997=([^;]+)", row["paper_names"]))
        }
    with (SHARED / "papers" / "kohavi1997_table2.csv").open(newline="") as stream:
        printed = {row["dataset"]: float(row[f"{column}_error"]) for row in csv.DictReader(stream)}
    differences = []
    for name in TABLE_2:
        row = catalog[name]
        data = read_arff(DATASETS / row["file"], class_attribute=row["class_attribute"] or None)
        split = row["kohavi_split"]
        protocol = EvaluationProtocol(kind="split", ranges=split) if split else EvaluationProtocol()
        errors = evaluate(recipe, data, protocol=protocol).fold_errors()
        differences.append(abs(100 * float(np.mean(errors)) - printed[name]))
    assert np.mean(differences) <= limit
