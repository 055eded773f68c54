"""Plugins: found by entry points, loaded when needed, judged one by one; the public cases among them."""

import json
import sys

import pytest
from support.distributions import estimator_module, install, nbf, recipe_with, with_installed

from nbframework import EvaluationError, PluginError, Recipe, evaluate, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.plugins import Source

BROKEN = "import a_module_that_is_not_there\n"


def strangers(plugins, *names):
    return [fault for fault in plugins.faults if fault.source.distribution in names]


# --- a plugin that works


def test_a_strangers_part_comes_in_by_its_entry_point(site, tmp_path):
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")})
    plugins = with_installed()
    registration = plugins.find("estimator", "okay")
    assert registration.provider == "good-plugin 1.0 (estimator.okay)"
    assert registration.origin == f"{site / 'okay_mod.py'}:9"
    assert recipe_with(plugins, tmp_path, "{okay: {f: 2}}").estimator.f == 2


def test_names_are_known_without_importing_anything(site):
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")})
    plugins = with_installed()
    assert "okay" in plugins.names("estimator")
    assert "okay_mod" not in sys.modules


def test_a_recipe_imports_only_the_parts_it_names(site, tmp_path):
    install(
        site,
        "good-plugin",
        {"estimator.okay": "okay_mod", "estimator.other": "other_mod"},
        {"okay_mod": estimator_module("Okay", "okay"), "other_mod": estimator_module("Other", "other")},
    )
    recipe_with(with_installed(), tmp_path, "okay")
    assert "okay_mod" in sys.modules
    assert "other_mod" not in sys.modules


def test_a_plugin_may_ship_recipes(site, tmp_path):
    folder = tmp_path / "their-recipes"
    folder.mkdir()
    (folder / "theirs.yaml").write_text("recipe: theirs\nestimator: frequency\n")
    text = (
        "from pathlib import Path\nfrom nbframework.authoring import hookimpl\n"
        f"@hookimpl\ndef nbframework_recipes():\n    return Path({str(folder)!r})\n"
    )
    install(site, "recipe-plugin", {"recipes.theirs": "recipes_mod"}, {"recipes_mod": text})
    assert Recipe.load_with(with_installed(), "theirs").estimator.name == "frequency"


# --- PLUG-01: one plugin fails on import


@pytest.fixture
def one_broken(site):
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")})
    install(site, "broken-plugin", {"estimator.broken": "broken_mod"}, {"broken_mod": BROKEN})
    return site


def test_plug_01_the_others_are_listed_with_the_fault_beside_them(one_broken):
    plugins = with_installed()
    plugins.load_all()
    assert "okay" in [registration.part.name for registration in plugins.registry]
    (fault,) = strangers(plugins, "broken-plugin", "good-plugin")
    assert str(fault).startswith(
        "plugin broken-plugin 1.0 (estimator.broken): cannot be imported: ModuleNotFoundError: "
        "No module named 'a_module_that_is_not_there'"
    )
    assert str(fault).endswith("(to leave it out: NBFRAMEWORK_BLOCK=broken-plugin)")


def test_plug_01_a_recipe_that_needs_another_plugin_runs(one_broken, tmp_path):
    recipe = recipe_with(with_installed(), tmp_path, "okay")
    assert evaluate(recipe, read_arff(bundled_path("iris")), folds=2).scores()["accuracy"] > 0.8


def test_plug_01_a_recipe_that_needs_the_broken_one_fails_with_the_cause(one_broken, tmp_path):
    with pytest.raises(PluginError) as caught:
        recipe_with(with_installed(), tmp_path, "broken")
    message = str(caught.value)
    assert "mine.yaml:2:1: estimator: estimator 'broken' cannot be used" in message
    assert "broken-plugin 1.0 (estimator.broken)" in message
    assert "No module named 'a_module_that_is_not_there'" in message


def test_plug_01_strict_mode_makes_it_fatal(one_broken):
    with pytest.raises(PluginError, match="a_module_that_is_not_there"):
        with_installed().load_all(strict=True)


def test_plug_01_on_the_command_line(one_broken):
    listed = nbf("parts", "--json", site=one_broken)
    assert listed.returncode == 0
    data = json.loads(listed.stdout)
    assert "okay" in [part["name"] for part in data["parts"]]
    assert any("broken-plugin" in fault for fault in data["faults"])
    runs = nbf("evaluate", "sbc", "-d", "iris", "--folds", "2", "--set", "estimator=okay", site=one_broken)
    assert (runs.returncode, "Traceback" in runs.stderr) == (0, False)
    fails = nbf("evaluate", "sbc", "-d", "iris", "--set", "estimator=broken", site=one_broken)
    assert fails.returncode == 4
    assert fails.stdout == ""
    assert "broken-plugin 1.0 (estimator.broken)" in fails.stderr
    assert "Traceback" not in fails.stderr
    strict = nbf("--strict", "evaluate", "sbc", "-d", "iris", site=one_broken)
    assert strict.returncode == 4
    assert "a_module_that_is_not_there" in strict.stderr


def test_plug_01_blocking_silences_it(one_broken):
    listed = nbf("parts", site=one_broken, NBFRAMEWORK_BLOCK="broken-plugin")
    assert listed.returncode == 0
    assert "broken" not in listed.stderr
    assert "okay" in listed.stdout


# --- PLUG-03, PLUG-05: what is wrong inside a module


def hook_module(text):
    return f"from nbframework.authoring import Estimator, hookimpl\n{text}"


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        pytest.param(
            "@hookimpl\ndef nbframework_estimators(rng):\n    return []\n",
            ["nbframework_estimators", "rng"],
            id="PLUG-03: an argument that the specification does not have",
        ),
        pytest.param(
            "def nbframework_estimators():\n    return []\n",
            ["registers no hook; is the mark @hookimpl missing?"],
            id="PLUG-05: the mark is missing",
        ),
        (
            "@hookimpl\ndef nbframework_estimator():\n    return []\n",
            ["did you mean 'nbframework_estimators'"],
        ),
        ("@hookimpl\ndef nbframework_estimators():\n    return [3]\n", ["3 is no subclass of Estimator"]),
        ("@hookimpl\ndef nbframework_estimators():\n    return 3\n", ["hook nbframework_estimators"]),
        ("@hookimpl\ndef nbframework_estimators():\n    return [1 / 0]\n", ["failed: ZeroDivisionError"]),
        ("@hookimpl\ndef nbframework_estimators():\n    return []\n", ["does not provide the estimator 'bad'"]),
        ("class A(Estimator):\n  name = 'bad'\n@hookimpl\ndef nbframework_estimators():\n    return [A]\n", ["A:"]),
    ],
)
def test_a_fault_of_a_plugin_is_its_own(site, tmp_path, text, reasons):
    install(site, "bad-plugin", {"estimator.bad": "bad_mod"}, {"bad_mod": hook_module(text)})
    plugins = with_installed()
    plugins.load_all()
    (fault,) = strangers(plugins, "bad-plugin")
    for reason in ["bad-plugin 1.0 (estimator.bad)", *reasons]:
        assert reason in str(fault)
    assert recipe_with(plugins, tmp_path, "laplace").estimator.name == "laplace"


def test_all_faults_of_a_part_are_reported_at_once(site):
    text = (
        "from dataclasses import dataclass\nfrom typing import ClassVar\n"
        "from nbframework.authoring import Estimator, hookimpl\n"
        "class Bad(Estimator):\n    name: ClassVar[str] = 'Not A Name'\n"
        "@hookimpl\ndef nbframework_estimators():\n    return [Bad]\n"
    )
    install(site, "bad-plugin", {"estimator.bad": "bad_mod"}, {"bad_mod": text})
    plugins = with_installed()
    plugins.load_all()
    message = str(strangers(plugins, "bad-plugin")[0])
    assert "'Not A Name' is not lower-case words joined by hyphens" in message
    assert "has no decorator of its own" in message
    assert "lacks log_conditional, log_prior" in message


# --- PLUG-07: the same module twice


def test_plug_07_a_module_named_twice_is_loaded_once(site):
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")})
    plugins = with_installed(Source("okay_mod", "okay_mod"))
    plugins.load_all()
    assert strangers(plugins, "good-plugin", "") == []
    assert [r.part.name for r in plugins.registry if r.part.name == "okay"] == ["okay"]
    assert plugins.find("estimator", "okay").provider == "good-plugin 1.0 (estimator.okay)"


def test_plug_07_on_the_command_line(site):
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")})
    listed = nbf("parts", "okay", site=site, NBFRAMEWORK_PLUGINS="okay_mod")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "good-plugin 1.0 (estimator.okay)" in listed.stdout


def test_a_module_may_be_named_without_an_entry_point(site):
    (site / "loose_mod.py").write_text(estimator_module("Loose", "loose"))
    listed = nbf("parts", "loose", "--json", site=site, NBFRAMEWORK_PLUGINS="loose_mod")
    (part,) = json.loads(listed.stdout)["parts"]
    assert part["provider"] == "module loose_mod"


# --- PLUG-08: a part that raises inside a fold

RAISING = """
calls = 0


def count():
    global calls
    calls += 1
    if calls == 3:
        raise ValueError("bad state in my plugin")


"""


def raising_module():
    text = estimator_module("Bad", "bad", RAISING)
    return text.replace("        return log_smoothed", "        count()\n        return log_smoothed")


@pytest.fixture
def raising(site):
    install(site, "bad-plugin", {"estimator.bad": "bad_mod"}, {"bad_mod": raising_module()})
    return site


def test_plug_08_the_error_names_the_fold_and_keeps_its_cause(raising, tmp_path):
    recipe = recipe_with(with_installed(), tmp_path, "bad")
    with pytest.raises(EvaluationError, match="fold 3: ValueError: bad state in my plugin") as caught:
        evaluate(recipe, read_arff(bundled_path("iris")), folds=5)
    assert isinstance(caught.value.__cause__, ValueError)


def test_plug_08_on_the_command_line(raising, tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("recipe: mine\nestimator: bad\n")
    run = nbf("evaluate", str(mine), "majority", "-d", "iris", "-d", "monks-1", "--folds", "5", site=raising)
    # one cell failed, the others are there
    assert run.returncode == 1
    assert "error: mine on iris: fold 3: ValueError: bad state in my plugin" in run.stderr
    assert "bad-plugin 1.0 (estimator.bad)" in run.stderr
    assert "Traceback" not in run.stderr
    assert "monks-1" in run.stdout


def test_plug_08_debug_shows_the_traceback(raising, tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("recipe: mine\nestimator: bad\n")
    run = nbf("--debug", "evaluate", str(mine), "-d", "iris", "--folds", "5", site=raising)
    assert "Traceback" in run.stderr
    assert "bad_mod.py" in run.stderr
