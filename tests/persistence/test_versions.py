"""Model files of old versions stay readable, and a part that keeps its state in another way says so."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from nbframework import PluginError, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.persistence import load_model, save_model
from nbframework.persistence.model_file import READABLE, VERSION
from nbframework.plugins import installed

FIXTURES = Path(__file__).parent / "fixtures"
SMALL = read_arff(bundled_path("iris")).take(slice(None, None, 5))
WRITTEN = sorted(path.name for path in FIXTURES.glob("*.model"))


def test_there_is_a_file_of_every_version_with_counts_and_with_rows() -> None:
    assert [f"version-{version}-{name}.model" for version in READABLE for name in ("lawnb", "sbc")] == WRITTEN
    assert READABLE[-1] == VERSION


@pytest.mark.parametrize("name", WRITTEN)
def test_an_old_file_gives_the_posteriors_of_its_time(name: str) -> None:
    expected = json.loads((FIXTURES / name).with_suffix(".json").read_text())
    np.testing.assert_allclose(load_model(FIXTURES / name).fitted.predict_proba(SMALL), expected, atol=1e-12)


@pytest.fixture
def newer_discretizer(monkeypatch: pytest.MonkeyPatch) -> None:
    part = installed().find("discretizer", "entropy-mdl").part
    monkeypatch.setattr(part, "state_version", 2)


@pytest.mark.parametrize("version", READABLE)
def test_counts_under_cut_points_of_another_state_are_refused(version: int, newer_discretizer: None) -> None:
    with pytest.raises(
        PluginError, match=r"the state of the discretizer 'entropy-mdl' in version 1 .* reads version 2"
    ):
        load_model(FIXTURES / f"version-{version}-sbc.model")


def test_rows_are_fitted_anew_by_the_newer_part(newer_discretizer: None) -> None:
    expected = json.loads((FIXTURES / "version-1-lawnb.json").read_text())
    found = load_model(FIXTURES / "version-1-lawnb.model").fitted.predict_proba(SMALL)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_the_state_of_a_newer_part_is_kept_with_its_version(newer_discretizer: None, tmp_path: Path) -> None:
    recipe = Recipe.load("sbc")
    save_model(tmp_path / "a.model", recipe, recipe.build().fit(SMALL))
    with zipfile.ZipFile(tmp_path / "a.model") as archive:
        states = json.loads(archive.read("model.json"))["states"]
    assert ["discretizer", "entropy-mdl", 2] in states
    load_model(tmp_path / "a.model")


def test_a_parameter_that_an_older_part_did_not_have_is_its_default(tmp_path: Path) -> None:
    recipe = Recipe.load("sbc")
    save_model(tmp_path / "a.model", recipe, recipe.build().fit(SMALL))
    with zipfile.ZipFile(tmp_path / "a.model") as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(held["model.json"])
    assert document["recipe"]["discretizer"]["entropy-mdl"].pop("criterion") == "fayyad-irani"
    held["model.json"] = json.dumps(document).encode()
    with zipfile.ZipFile(tmp_path / "a.model", "w") as archive:
        for name, data in held.items():
            archive.writestr(name, data)
    assert load_model(tmp_path / "a.model").recipe.identity() == recipe.identity()


def test_rows_are_stored_small(tmp_path: Path) -> None:
    rows = read_arff(bundled_path("tic-tac-toe"))
    rows = rows.take(np.tile(np.arange(len(rows)), 20))
    recipe = Recipe.load("knn")
    assert save_model(tmp_path / "a.model", recipe, recipe.build().fit(rows))
    cells = len(rows) * len(rows.attributes)
    assert (tmp_path / "a.model").stat().st_size < cells / 4


def test_every_part_starts_with_state_version_1() -> None:
    plugins = installed()
    plugins.load_all()
    versions: set[int] = {registration.part.state_version for registration in plugins.registry}
    assert versions == {1}
