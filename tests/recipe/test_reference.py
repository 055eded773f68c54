"""The reference of each part: complete, and its example loads."""

import pytest
from support.distributions import estimator_module, install, with_installed

from nbframework import Recipe
from nbframework.parts import KINDS
from nbframework.plugins import installed
from nbframework.recipe.reference import contract_of, example_recipe, recipes_with, reference_of, written

installed().load_all()
REGISTRATIONS = list(installed().registry)
NAMES = [f"{r.part.kind}.{r.part.name}" for r in REGISTRATIONS]


def found(kind, name):
    return installed().find(kind, name)


@pytest.mark.parametrize("registration", REGISTRATIONS, ids=NAMES)
def test_every_parameter_is_described(registration):
    reference = reference_of(registration)
    assert reference.docstring.summary
    assert [parameter.name for parameter in reference.parameters if not parameter.description] == []


@pytest.mark.parametrize("registration", REGISTRATIONS, ids=NAMES)
def test_the_example_recipe_loads_and_holds_the_part(registration):
    text = example_recipe(registration.part, installed())
    if registration.part.kind == "generator":
        assert text is None
        return
    required = [p.name for p in reference_of(registration).parameters if p.is_required]
    for name in required:
        text = text.replace(f"{name}: ...", f"{name}: {SCHEMES[registration.part.name]}")
    recipe = Recipe.from_text(text)
    holder = recipe.neighbourhood.distance if registration.part.kind == "distance" else None
    assert type(holder or getattr(recipe, registration.part.kind)) is registration.part


SCHEMES = {"sklearn": "naive_bayes.GaussianNB", "weka": "weka.classifiers.rules.ZeroR"}


def test_the_equation_and_the_parameters_of_laplace():
    reference = reference_of(found("estimator", "laplace"))
    assert reference.docstring.equation == "(N + f) / (n + k f)"
    (f,) = reference.parameters
    assert (f.name, f.expected, f.default) == ("f", "a number of at least 0", 1.0)
    assert f.description == "The factor; 1 is Laplace's law of succession."


def test_a_parameter_of_the_base_class_is_described_there():
    (scope,) = [p for p in reference_of(found("discretizer", "none")).parameters if p.name == "scope"]
    assert "each query's neighbourhood" in scope.description


@pytest.mark.parametrize("kind", KINDS)
def test_the_contract_of_each_kind_has_methods(kind):
    assert contract_of(kind)
    assert all(method.returns for method in contract_of(kind))


@pytest.mark.parametrize(
    ("kind", "call", "shape"),
    [
        ("estimator", "Estimator.log_conditional(counts)", "(..., C, B)"),
        ("distance", "FittedDistance.between(queries)", "(q, n)"),
        ("density", "FittedDensity.log_density(values, group)", "(q, C, d)"),
        ("structure", "FittedStructure.log_joint(queries, group)", "(q, C)"),
        ("classifier", "FittedWhole.log_joint(queries)", "(q, C)"),
        ("weights", "WeightLearner.learn(evidence, generator)", "(..., 1, f)"),
    ],
)
def test_the_contract_gives_shapes(kind, call, shape):
    (method,) = [method for method in contract_of(kind) if method.call == call]
    assert shape in method.returns


@pytest.mark.parametrize(
    ("default", "text"), [(None, "null"), (True, "true"), (False, "false"), (1.0, "1.0"), (1, "1"), ("keep", "keep")]
)
def test_a_default_is_written_as_recipes_write_it(default, text):
    assert written(default) == text


def test_the_recipes_with_a_part_hold_it_by_name_by_default_or_inside_another():
    plugins = installed()
    assert recipes_with(found("estimator", "cestnik").part, plugins) == ["cestnik-nb"]
    assert "sbc" in recipes_with(found("neighbourhood", "everything").part, plugins)
    assert "knn-fair" in recipes_with(found("distance", "heterogeneous-euclidean").part, plugins)
    assert recipes_with(found("generator", "led24").part, plugins) == []


def test_a_strangers_part_has_a_reference_too(site):
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")})
    plugins = with_installed()
    registration = plugins.find("estimator", "okay")
    assert reference_of(registration).docstring.summary == "Add f."
    assert example_recipe(registration.part, plugins) == "recipe: my-recipe\nestimator: {okay: {f: 1.0}}\n"
