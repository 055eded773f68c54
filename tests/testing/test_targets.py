"""What a user may call a plugin: each form leads to the same parts."""

import importlib
import sys

import pytest
from support.distributions import estimator_module, install, with_installed

from nbframework import PluginError
from nbframework.testing.targets import configured, find_target

ODD = estimator_module("Odd", "odd")


@pytest.fixture(autouse=True)
def import_path(monkeypatch):
    """Whatever a target adds to the path goes away again."""
    monkeypatch.setattr(sys, "path", list(sys.path))


def parts(text):
    target = find_target(text, with_installed())
    assert target.faults == ()
    return [(r.part.kind, r.part.name, r.provider) for r in target.registrations]


@pytest.mark.parametrize(
    "target",
    ["odd-plugin", "Odd_Plugin", "estimator.odd", "odd", "odd_mod"],
    ids=["distribution", "distribution spelt otherwise", "entry point", "part", "module"],
)
def test_an_installed_plugin_goes_by_any_of_its_names(site, target):
    install(site, "odd-plugin", {"estimator.odd": "odd_mod"}, {"odd_mod": ODD})
    assert parts(target) == [("estimator", "odd", "odd-plugin 1.0 (estimator.odd)")]


@pytest.mark.parametrize("target", ["loose", "loose.odd", "FILE"])
def test_a_package_a_module_and_a_file_need_no_installation(site, target):
    (site / "loose").mkdir()
    (site / "loose" / "__init__.py").touch()
    (site / "loose" / "odd.py").write_text(ODD)
    (site / "loose" / "helper.py").write_text("raise ValueError('it has no hook, so it is not loaded')")
    importlib.invalidate_caches()
    text = str(site / "loose" / "odd.py") if target == "FILE" else target
    assert parts(text) == [("estimator", "odd", "module loose.odd")]


def test_a_package_of_ours_leads_to_all_its_parts():
    found = {name for _, name, _ in parts("nbframework_generators")}
    assert found == {"led24", "waveform-21", "monks", "tic-tac-toe"} | found
    assert {kind for kind, _, _ in parts("nbframework_generators")} == {"generator"}


@pytest.mark.parametrize("layout", [".", "src"])
def test_a_folder_is_read_by_its_project_file(site, layout):
    place = site / layout
    place.mkdir(exist_ok=True)
    (place / "folder_mod.py").write_text(ODD)
    project = '[project]\nname = "odd-plugin"\nversion = "3.1"\n[project.entry-points.nbframework]\n'
    (site / "pyproject.toml").write_text(project + '"estimator.odd" = "folder_mod"\n')
    assert parts(str(site)) == [("estimator", "odd", "odd-plugin 3.1 (estimator.odd)")]


def test_a_fault_is_part_of_the_answer(site):
    install(site, "bad-plugin", {"estimator.bad": "bad_mod"}, {"bad_mod": "import nothing_of_that_name\n"})
    target = find_target("bad-plugin", with_installed())
    assert target.registrations == ()
    assert "nothing_of_that_name" in str(target.faults[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "has no pyproject.toml, so it is no plugin's folder"),
        ("[project\n", "cannot be read as the project of a plugin"),
        ("[project]\nversion = '1'\n", "cannot be read as the project of a plugin: KeyError: 'name'"),
        ("project = 3\n", "cannot be read as the project of a plugin"),
        ("[project]\nname = 'x'\n", "declares no entry point in \\[project.entry-points.nbframework\\]"),
    ],
)
def test_a_folder_that_is_no_plugin(tmp_path, text, words):
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(PluginError, match=words):
        parts(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lapalce", "no plugin 'lapalce'; did you mean 'laplace'"),
        ("json", "json: has no hook marked with @hookimpl"),
        ("no/such/file.py", "no such file or folder"),
        ("..x", "no plugin '..x'"),
        ("", "no plugin ''"),
    ],
)
def test_what_is_no_plugin(text, words):
    with pytest.raises(PluginError, match=words):
        parts(text)


def test_a_required_distance_is_put_in(site):
    text = ODD.replace("f: Annotated[float, Ge(0)] = 1.0", "distance: Distance")
    text = text.replace("authoring import ", "authoring import Distance, ").replace("self.f", "1.0")
    install(site, "odd-plugin", {"estimator.odd": "odd_mod"}, {"odd_mod": text})
    plugins = with_installed()
    part = configured(plugins.find("estimator", "odd").part, plugins)
    assert part.distance.kind == "distance"


def test_a_required_number_is_said(site):
    text = ODD.replace("f: Annotated[float, Ge(0)] = 1.0", "f: Annotated[float, Ge(0)]")
    install(site, "odd-plugin", {"estimator.odd": "odd_mod"}, {"odd_mod": text})
    plugins = with_installed()
    assert "its parameter f has no default" in configured(plugins.find("estimator", "odd").part, plugins)
