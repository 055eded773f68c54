"""Plugins of strangers: distributions with entry points, written into a folder."""

import importlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from nbframework import Recipe
from nbframework.plugins import Plugins, Source, installed_sources
from support.paths import ROOT


def install(
    folder: Path, name: str, entry_points: Mapping[str, str], modules: Mapping[str, str], version: str = "1.0"
) -> None:
    """Write a distribution: its metadata, its entry points in the group ``nbframework``, and its modules."""
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [f"{entry} = {module}" for entry, module in entry_points.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[nbframework]", *lines, ""]))
    for module, text in modules.items():
        path = folder / f"{module.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def with_installed(*sources: Source, blocked: tuple[str, ...] = ()) -> Plugins:
    """Return fresh plugins: those of this checkout and some more."""
    importlib.invalidate_caches()
    return Plugins([*installed_sources(), *sources], blocked)


def estimator_module(class_name: str, name: str, extra: str = "") -> str:
    """Return the text of a module with an estimator that works like Laplace's."""
    return f'''"""A plugin."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from nbframework.authoring import Counts, Estimator, FloatArray, Ge, hookimpl, log_prior_smoothed, log_smoothed


@dataclass(frozen=True, kw_only=True)
class {class_name}(Estimator):
    """Add f."""

    name: ClassVar[str] = "{name}"
    f: Annotated[float, Ge(0)] = 1.0

    def log_conditional(self, counts: Counts) -> FloatArray:
        return log_smoothed(counts, self.f)

    def log_prior(self, counts: Counts) -> FloatArray:
        return log_prior_smoothed(counts, self.f)

{extra}
@hookimpl
def nbframework_estimators():
    return [{class_name}]
'''


def nbf(*arguments, site=None, **environment):
    """Run the command with a folder of strangers on the path."""
    path = os.pathsep.join(filter(None, [str(site) if site else "", os.environ.get("PYTHONPATH", "")]))
    return subprocess.run(
        [sys.executable, "-m", "nbframework", *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        cwd=ROOT,
    )


def recipe_with(plugins, tmp_path, estimator):
    path = tmp_path / "mine.yaml"
    path.write_text(f"recipe: mine\nestimator: {estimator}\n")
    return Recipe.load_with(plugins, path)
