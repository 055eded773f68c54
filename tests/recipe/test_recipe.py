"""Recipes: how files and overrides are laid over each other."""

import re

import pytest
from support.faulty import faults

from nbframework import Recipe, RecipeError
from nbframework.plugins import installed


def part(kind, name, **parameters):
    return installed().find(kind, name).part(**parameters)


@pytest.fixture
def folder(tmp_path):
    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.yaml").write_text(f"recipe: {name}\n{text}")
        return lambda name, **overrides: Recipe.load(tmp_path / f"{name}.yaml", **overrides)

    return write


# --- defaults


def test_a_recipe_without_anything_is_the_defaults():
    recipe = Recipe.from_text("recipe: t")
    assert recipe.name == "t"
    assert recipe.resolved() == {
        "recipe": "t",
        "missing": {"ignore": {"denominator": "exclude", "cardinality": "declared", "unseen": "smooth"}},
        "discretizer": {"none": {"scope": "training"}},
        "neighbourhood": "everything",
        "estimator": {"laplace": {"f": 1.0}},
        "density": {"gaussian": {"variance": "population", "floor": 1e-9}},
        "weights": "uniform",
        "structure": "naive",
        "empty_classes": "keep",
        "ties": "first",
        "tie_tolerance": 1e-10,
    }


def test_parts_compose_without_yaml():
    recipe = Recipe(estimator=part("estimator", "laplace", f=2))
    assert recipe.estimator.f == 2
    assert recipe.structure.name == "naive"
    assert recipe.identity() == Recipe.from_text("recipe: x\nestimator: {laplace: {f: 2}}").identity()


def test_null_and_nothing_stand_for_the_default():
    for text in ("estimator:", "estimator: null", "estimator: ~"):
        assert Recipe.from_text(f"recipe: t\n{text}").identity() == Recipe.from_text("recipe: t").identity()


def test_a_part_named_none_is_no_null():
    assert Recipe.from_text("recipe: t\ndiscretizer: none").discretizer.name == "none"


def test_a_part_without_parameters_may_be_written_in_three_ways():
    for text in ("laplace", "{laplace: }", "{laplace: {}}"):
        assert Recipe.from_text(f"recipe: t\nestimator: {text}").estimator == part("estimator", "laplace")


def test_whole_numbers_are_numbers():
    assert Recipe.from_text("recipe: t\nestimator: {laplace: {f: 2}}").estimator.f == 2.0


def test_versions_keep_their_text():
    recipe = Recipe.from_text("recipe: t\ndensity: {weka-kernel: {version: 3.9}}")
    assert recipe.density.version == "3.9"


# --- extends


def test_the_same_part_merges_its_parameters(folder):
    load = folder(
        base="missing: {ignore: {denominator: include, cardinality: with-unknown}}",
        child="extends: base\nmissing: {ignore: {cardinality: observed}}",
    )
    policy = load("child").missing
    assert (policy.denominator, policy.cardinality) == ("include", "observed")


def test_another_part_replaces(folder):
    load = folder(
        base="estimator: {m-estimate: {m: 5}}",
        middle="extends: base\nestimator: {laplace: {f: 3}}",
        child="extends: middle\nestimator: m-estimate",
    )
    assert load("middle").estimator == part("estimator", "laplace", f=3)
    assert load("child").estimator.m == 1


def test_null_resets_to_the_default(folder):
    load = folder(
        base="estimator: {laplace: {f: 3}}\nties: larger-class\ntie_tolerance: 0.5\nprior: frequency",
        child="extends: base\nestimator: null\nties: null\ntie_tolerance: null\nprior: null",
    )
    assert load("child").identity() == Recipe.from_text("recipe: t").identity()


def test_what_a_child_leaves_out_stays(folder):
    load = folder(base="estimator: {laplace: {f: 3}}\nties: larger-class", child="extends: base\ntitle: mine")
    child = load("child")
    assert child.identity() == load("base").identity()
    assert (child.name, child.title) == ("child", "mine")


def test_three_generations(folder):
    load = folder(
        a="missing: {ignore: {denominator: include}}",
        b="extends: a\nmissing: {ignore: {cardinality: observed}}",
        c="extends: b\nmissing: {ignore: {unseen: skip}}",
    )
    policy = load("c").missing
    assert (policy.denominator, policy.cardinality, policy.unseen) == ("include", "observed", "skip")


def test_a_parent_may_be_a_shipped_recipe_or_a_file(folder, tmp_path):
    load = folder(child="extends: sbc\nestimator: {laplace-m: {f: 2}}", other="extends: child.yaml")
    assert load("child").estimator.f == 2
    assert load("child").discretizer.name == "entropy-mdl"
    assert load("other").identity() == load("child").identity()


def test_recipes_that_extend_each_other(folder):
    load = folder(a="extends: b", b="extends: a")
    with pytest.raises(RecipeError, match="recipes extend each other in a circle"):
        load("a")


def test_an_unknown_parent_names_the_child_and_the_nearest_recipe(folder, tmp_path):
    load = folder(a="extends: laplace-n")
    with pytest.raises(RecipeError, match=r"a\.yaml: extends: no recipe 'laplace-n'; did you mean 'laplace-"):
        load("a")


def test_a_fault_of_a_parent_names_the_parents_file(folder):
    load = folder(a="estimator: {laplace: {g: 1}}", b="extends: a")
    with pytest.raises(RecipeError, match=r"a\.yaml:2:23: estimator\.g: unknown parameter"):
        load("b")


# --- overrides


@pytest.mark.parametrize("value", ["0.5", 0.5])
@pytest.mark.parametrize("path", ["estimator.f", "estimator__f"])
def test_an_override_of_a_parameter(path, value):
    assert Recipe.load("laplace-1", **{path: value}).estimator == part("estimator", "laplace", f=0.5)


@pytest.mark.parametrize("value", ["frequency", "{frequency: {}}", {"frequency": {}}])
def test_an_override_of_a_part(value):
    assert Recipe.load("laplace-1", estimator=value).estimator == part("estimator", "frequency")


def test_an_override_with_the_same_part_merges():
    recipe = Recipe.load("no-match-0", missing="{ignore: {unseen: skip}}")
    assert (recipe.missing.denominator, recipe.missing.unseen) == ("include", "skip")


def test_overrides_apply_in_order():
    recipe = Recipe.load("laplace-1", **{"estimator": "m-estimate", "estimator.m": "7"})
    assert recipe.estimator == part("estimator", "m-estimate", m=7)


def test_an_override_of_a_rule():
    recipe = Recipe.load("laplace-1", ties="first", tie_tolerance="1e-3", empty_classes="drop")
    assert (recipe.ties, recipe.tie_tolerance, recipe.empty_classes) == ("first", 1e-3, "drop")


def test_an_override_with_null_is_the_default():
    assert Recipe.load("sbc", discretizer="null").discretizer.name == "none"
    assert Recipe.load("sbc", discretizer=None).discretizer.name == "none"


def test_an_override_of_a_part_that_the_recipe_leaves_to_the_default():
    assert Recipe.from_text("recipe: t", **{"density.floor": "0.1"}).density.floor == 0.1


def test_an_override_of_the_prior():
    assert Recipe.load("sbc", **{"prior.f": "2"}).prior == part("estimator", "laplace", f=2)


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"estimator.g": "1"}, "override: estimator.g: unknown parameter"),
        ({"estimatr.f": "1"}, "override: estimatr.f: unknown kind 'estimatr'; did you mean 'estimator'?"),
        ({"estimatr": "laplace"}, "override: estimatr: unknown key; did you mean 'estimator'?"),
        ({"estimator.f": "much"}, "override: estimator.f: found 'much', expected a number of at least 0"),
        ({"estimator.f": "-1"}, "override: estimator.f: found '-1', expected a number of at least 0"),
        ({"estimator": "laplac"}, "override: estimator: no estimator 'laplac'; did you mean 'laplace'?"),
        ({"prior.f": "1"}, "override: prior.f: the recipe names no prior whose parameter could be set"),
        ({"ties": "last"}, "override: ties: found 'last', expected one of first, larger-class"),
    ],
)
def test_a_wrong_override_says_which(overrides, expected):
    (line,) = faults("recipe: t", **overrides)
    assert line.startswith(expected)


# --- parts that do not go together


def test_a_part_outside_its_bounds_is_refused_without_yaml_too():
    with pytest.raises(RecipeError, match=r"laplace: estimator\.f: found -1\.0, expected a number of at least 0"):
        part("estimator", "laplace", f=-1.0)


def test_all_wrong_parameters_of_a_part_are_named():
    with pytest.raises(RecipeError) as caught:
        part("estimator", "no-match", numerator="x", f=-1.0, target=3)
    assert len(str(caught.value).splitlines()) == 3


# --- requires


def test_an_unmet_requirement_names_the_distribution():
    (line,) = faults("recipe: t\nrequires: [surely-not-installed>=2]")
    assert line == "t: requires: surely-not-installed is not installed, the recipe needs surely-not-installed>=2"


def test_a_requirement_of_a_later_version():
    (line,) = faults("recipe: t\nrequires: [numpy>=999]")
    assert re.fullmatch(r"t: requires: numpy [0-9.]+ is installed, the recipe needs numpy>=999", line)


def test_met_requirements_pass_and_add_up(folder):
    load = folder(a="requires: [numpy>=1]", b="extends: a\nrequires: [pluggy]")
    assert load("b").requires == ("numpy>=1", "pluggy")


def test_a_requirement_that_is_none():
    (line,) = faults("recipe: t\nrequires: ['>>']")
    assert "'>>' is no requirement" in line


# --- identity


def test_names_and_titles_are_no_part_of_the_identity():
    one = Recipe.from_text("recipe: one\ntitle: this\nestimator: laplace")
    two = Recipe.from_text("recipe: two\ncite: that")
    assert one.identity() == two.identity()


@pytest.mark.parametrize(
    "text", ["estimator: {laplace: {f: 2}}", "ties: larger-class", "tie_tolerance: 0", "prior: frequency"]
)
def test_every_decision_is_part_of_the_identity(text):
    assert Recipe.from_text(f"recipe: t\n{text}").identity() != Recipe.from_text("recipe: t").identity()


def test_the_identity_is_the_sha_256_of_the_decisions():
    import hashlib
    import json

    recipe = Recipe.from_text("recipe: t\nestimator: {laplace: {f: 2}}")
    data = {key: value for key, value in recipe.resolved().items() if key not in ("recipe", "title", "cite")}
    assert recipe.identity() == hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def test_a_parent_without_a_title_of_its_own_gives_none(folder):
    load = folder(base="title: base\ncite: somebody", child="extends: base")
    assert (load("child").title, load("child").cite) == ("", "somebody")


@pytest.mark.parametrize("value", ["laplace", 3, dict])
def test_a_part_has_to_be_a_part(value):
    with pytest.raises(RecipeError, match="estimator: found"):
        Recipe(estimator=value)


def test_a_part_of_another_kind_is_refused():
    with pytest.raises(RecipeError, match=r"expected a estimator|expected an estimator"):
        Recipe(estimator=part("discretizer", "equal-width"))
