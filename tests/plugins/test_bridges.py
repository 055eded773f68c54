"""Other tools run on exactly our rows and give their own posteriors back."""

import os
import shutil
import stat
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from nbframework import Attribute, Dataset, EvaluationError, Recipe, RecipeError, evaluate, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.testing import datasets

IRIS = read_arff(bundled_path("iris"))
X = np.column_stack(IRIS.input_columns)
JAR = next(
    (Path(p) for p in (os.environ.get("WEKA_JAR", ""), "/usr/share/java/weka.jar") if p and Path(p).is_file()), None
)
needs_weka = pytest.mark.skipif(
    JAR is None or shutil.which("java") is None, reason="needs a Java runtime and a weka.jar (WEKA_JAR)"
)


def test_scikit_learn_gives_its_own_posteriors() -> None:
    mine = Recipe.load("sklearn:naive_bayes.GaussianNB").build().fit(IRIS).predict_proba(IRIS)
    np.testing.assert_allclose(mine, GaussianNB().fit(X, IRIS.classes).predict_proba(X), atol=1e-12)


def test_nominal_values_are_one_column_each_and_unknown_is_none_of_them() -> None:
    data = datasets.mixed(numeric=False)
    fitted = Recipe.load('sklearn:tree.DecisionTreeClassifier {"max_depth": 3}').build().fit(data)
    assert fitted.model.model.n_features_in_ == 2 + 3 + 5
    np.testing.assert_allclose(fitted.predict_proba(data).sum(axis=1), 1)


def test_the_recipes_discretizer_comes_before_scikit_learn() -> None:
    fitted = Recipe.load("sklearn:naive_bayes.BernoulliNB", discretizer="entropy-mdl").build().fit(IRIS)
    cuts = Recipe.load("sbc").build().fit(IRIS).model.encoder.cuts
    assert fitted.model.model.n_features_in_ == sum(len(values) + 1 for values in cuts.values())


def test_the_same_seed_gives_the_same_forest() -> None:
    recipe = Recipe.load('sklearn:ensemble.RandomForestClassifier {"n_estimators": 5}')
    one, other = (recipe.build().fit(IRIS, seed=3).predict_proba(IRIS) for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_a_class_that_does_not_occur_has_probability_zero() -> None:
    posterior = (
        Recipe.load("sklearn:naive_bayes.GaussianNB").build().fit(IRIS.take(IRIS.classes > 0)).predict_proba(IRIS)
    )
    assert posterior[:, 0].max() == 0


def test_row_weights_are_refused_where_the_scheme_takes_none() -> None:
    weighted = Dataset.from_columns(IRIS.attributes, IRIS.columns, weights=np.arange(150) + 1.0)
    with pytest.raises(EvaluationError, match="takes no row weights"):
        Recipe.load("sklearn:neighbors.KNeighborsClassifier").build().fit(weighted)


@pytest.mark.parametrize("scheme", ["naive_bayes.Gaussian", "nothing.X", "tree.DecisionTreeClassifier {depth}", "X"])
def test_a_wrong_scheme_is_named(scheme: str) -> None:
    with pytest.raises(EvaluationError, match="cannot be made"):
        Recipe.load(f"sklearn:{scheme}").build().fit(IRIS)


def test_an_unknown_bridge_is_no_recipe() -> None:
    with pytest.raises(RecipeError, match="no recipe 'sklern:tree'"):
        Recipe.load("sklern:tree")


def with_java(folder: Path, monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    """Put a program called java on the PATH that prints what Weka would print."""
    program = folder / "java"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{output}\nEND\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    (folder / "weka.jar").touch()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("WEKA_JAR", str(folder / "weka.jar"))


TINY = Dataset.from_columns([Attribute.numeric("x"), Attribute.nominal("c", ["a", "b"])], [[1, 2, 5], ["a", "a", "b"]])


@pytest.mark.parametrize(
    "output",
    [
        "=== Predictions on test data ===\n\ninst#,actual,predicted,error,distribution,\n"
        "1,1:a,1:a,,*0.75,0.25\n2,1:a,1:a,,*0.5,0.5\n3,1:a,2:b,+,0,*1\n",
        " inst#     actual  predicted error distribution\n     1   1:a   1:a       *0.75,0.25\n"
        "     2   1:a   1:a       *0.5,0.5\n     3   1:a   2:b   +   0,*1\n",
    ],
    ids=["3.9", "3.6"],
)
def test_both_layouts_of_weka_are_read(output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_java(tmp_path, monkeypatch, output)
    posterior = Recipe.load("weka:weka.classifiers.X -Z").build().fit(TINY).predict_proba(TINY)
    np.testing.assert_allclose(posterior, [[0.75, 0.25], [0.5, 0.5], [0, 1]])


def test_what_weka_complains_of_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_java(tmp_path, monkeypatch, "Weka exception: No such scheme")
    with pytest.raises(EvaluationError, match="weka: wekaX: Weka exception: No such scheme"):
        Recipe.load("weka:wekaX").build().fit(TINY).predict_proba(TINY)


def test_a_missing_jar_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_java(tmp_path, monkeypatch, "")
    monkeypatch.setenv("WEKA_JAR", str(tmp_path / "gone.jar"))
    with pytest.raises(EvaluationError, match=r"needs a weka\.jar: .*gone\.jar is no file"):
        Recipe.load("weka:weka.classifiers.rules.ZeroR").build().fit(TINY)


def test_a_missing_java_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EvaluationError, match="no java on the PATH"):
        Recipe.load("weka:weka.classifiers.rules.ZeroR").build().fit(TINY)


@needs_weka
def test_weka_itself_agrees_with_the_recipe_that_reproduces_it() -> None:
    scheme = "weka:weka.classifiers.bayes.NaiveBayes -D"
    weka, mine = (evaluate(Recipe.load(name), IRIS, folds=3) for name in (scheme, "weka-naive-bayes"))
    # version 3.6 prints three decimals
    np.testing.assert_allclose(np.exp(weka.pooled(0)[1]), np.exp(mine.pooled(0)[1]), atol=1.1e-3)
