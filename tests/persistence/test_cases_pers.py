"""The public cases of model files."""

from pathlib import Path

import numpy as np
import pytest
from support.cases import CASES, needs_cases, train_and_test
from support.distributions import estimator_module, install, nbf

from nbframework import DataError, Recipe
from nbframework.persistence import load_model, save_model

pytestmark = needs_cases


def test_pers_01_a_pickle_is_refused_and_not_run(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError, match="not a model file of nbframework"):
        load_model(CASES / "PERS-01.model")
    captured = capfd.readouterr()
    assert "PAYLOAD" not in captured.out + captured.err


@pytest.mark.parametrize("change", ["nothing", "one byte", "half", "all but the last byte", "a byte flipped"])
def test_pers_03_a_damaged_file_is_named(change: str, tmp_path: Path) -> None:
    training, _ = train_and_test("PERS-04")
    recipe = Recipe.load("knn")
    rows = training.take(np.random.default_rng(1).integers(0, len(training), 60_000))
    save_model(tmp_path / "large.model", recipe, recipe.build().fit(rows))
    data = bytearray((tmp_path / "large.model").read_bytes())
    assert len(data) >= 10_000
    half = len(data) // 2
    if change == "a byte flipped":
        data[half] ^= 255
    kept = {"nothing": 0, "one byte": 1, "half": half, "all but the last byte": -1}.get(change, len(data))
    (tmp_path / "large.model").write_bytes(data[:kept])
    with pytest.raises(DataError, match=r"large\.model"):
        load_model(tmp_path / "large.model")


def test_pers_04_a_stored_model_matches_values_by_name(tmp_path: Path) -> None:
    training, queries = train_and_test("PERS-04")
    recipe = Recipe.load("weka-naive-bayes")
    save_model(tmp_path / "a.model", recipe, recipe.build().fit(training))
    colours = [queries.attributes[0].values[code] for code in queries.columns[0]]
    posterior = load_model(tmp_path / "a.model").fitted.predict_proba(queries)
    found = dict(zip(colours, posterior.tolist(), strict=True))
    np.testing.assert_allclose(found["red"], [0.8, 0.2], atol=1e-14)
    np.testing.assert_allclose(found["blue"], [0.2, 0.8], atol=1e-14)


def test_pers_07_a_model_whose_plugin_is_gone_names_it(site: Path, tmp_path: Path) -> None:
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")}, "2.1")
    recipe, model = tmp_path / "mine.yaml", tmp_path / "mine.model"
    recipe.write_text("recipe: mine\nestimator: okay\n")
    fitted = nbf("fit", str(recipe), "iris", "-o", str(model), site=site)
    assert fitted.returncode == 0, fitted.stderr
    assert nbf("predict", str(model), "iris", site=site).returncode == 0
    gone = nbf("predict", str(model), "iris")
    assert (gone.returncode, gone.stdout) == (4, "")
    needed = "the model needs the estimator 'okay' of good-plugin 2.1 (estimator.okay), which is not installed"
    assert gone.stderr.splitlines() == [f"error: {needed}"]
