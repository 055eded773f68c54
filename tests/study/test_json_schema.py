"""The schemas of studies and suites agree with the loader."""

import json
from pathlib import Path

import pytest

from nbframework.errors import RecipeError
from nbframework.recipe.nodes import plain
from nbframework.recipe.strict_yaml import load_file
from nbframework.study.json_schema import study_schema, suite_schema
from nbframework.study.study import load_study

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema checks files against our schemas")
CONFIGS = Path(__file__).parents[2] / "configs"
HEAD = "study: s\nrecipes: [sbc]\ndata: [iris]\n"


def faults(schema, path):
    jsonschema.Draft202012Validator.check_schema(schema)
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(plain(load_file(path)))]


@pytest.mark.parametrize("path", sorted((CONFIGS / "studies").glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_studies_obey_the_schema(path):
    assert faults(study_schema(), path) == []


@pytest.mark.parametrize("path", sorted((CONFIGS / "suites").glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_suites_obey_the_schema(path):
    assert faults(suite_schema(), path) == []


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        "study: 7\nrecipes: sbc\ndata: iris\nmetrics: accuracy\n",
        HEAD + "suite: [kohavi1997]\nonly: [led24]\n",
        HEAD.replace("[iris]", "[{file: iris, name: flowers, class: class, protocol: {holdout: {test_rows: 50}}}]"),
        "study: s\nmatrix: {base: laplace-1, over: {estimator.f: [1, 2]}, exclude: {estimator.f: 2}}\ndata: [iris]\n",
        HEAD.replace("[sbc]", "[{recipe: laplace-1, label: L, set: {estimator.f: 2}}]"),
        HEAD + "protocol: leave-one-out\n",
        HEAD + "protocol: {cross-validation: }\n",
        HEAD + "protocol: {split: 1-100 | 101-150}\n",
        HEAD + "protocol: {learning-curve: {shares: [0.5, 1], repeats: 2}}\n",
        HEAD + "protocol: {bias-variance: {samples: 5, definition: webb}}\nmetrics: [bias, variance]\n",
        HEAD + "compare: {tests: [wilcoxon, sign], alpha: 0.1, baseline: sbc}\nlimits: {seconds: 60, memory_mb: 500}\n",
        HEAD + "compare: {rope: 0}\n",
    ],
)
def test_what_the_loader_takes_obeys_the_schema(tmp_path, text):
    path = tmp_path / "s.yaml"
    path.write_text(text)
    assert load_study(path).sets
    assert faults(study_schema(), path) == []


@pytest.mark.parametrize(
    "text",
    [
        "study: s\ndata: [iris]\n",
        "recipes: [sbc]\ndata: [iris]\n",
        HEAD + "protocl: leave-one-out\n",
        HEAD + "protocol: leave-one-outs\n",
        HEAD + "protocol: split\n",
        HEAD + "protocol: {leave-one-out: {folds: 3}}\n",
        HEAD + "protocol: {cross-validation: {folds: 0}}\n",
        HEAD + "protocol: {learning-curve: {shares: [0.5, 0.5]}}\n",
        HEAD + "protocol: {bias-variance: {samples: 1}}\n",
        HEAD + "metrics: [acuracy]\n",
        HEAD + "compare: {tests: [wilcoxen]}\n",
        HEAD + "compare: {alpha: 1}\n",
        HEAD + "compare: {rope: -0.1}\n",
        HEAD + "limits: {seconds: -1}\n",
        HEAD + "predictions: maybe\n",
        HEAD.replace("[sbc]", "[{recipe: sbc, sett: {estimator.f: 2}}]"),
        HEAD.replace("[iris]", "[{name: flowers}]"),
    ],
)
def test_what_the_loader_refuses_breaks_the_schema(tmp_path, text):
    path = tmp_path / "s.yaml"
    path.write_text(text)
    with pytest.raises(RecipeError):
        load_study(path)
    assert faults(study_schema(), path) != []


def test_the_command_prints_it(capsys):
    from nbframework.cli import main

    for kind, schema in (("study", study_schema()), ("suite", suite_schema())):
        with pytest.raises(SystemExit):
            main(["schema", "--of", kind])
        assert json.loads(capsys.readouterr().out) == schema
