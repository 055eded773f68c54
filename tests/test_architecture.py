"""Who may import whom, what the first command costs, and whether the entry points are those of the folders."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from support.paths import ROOT

from nbframework.plugins import GROUP, Plugins, installed_sources

FRAME = ROOT / "nbframework"
PLUGINS = ROOT / "plugins"
PACKAGES = sorted(path.name for path in PLUGINS.iterdir() if (path / "__init__.py").is_file())

# Each library and the parts of the frame that may import it.
ROOMS = {
    "pluggy": ("hookspecs", "plugins"),
    "yaml": ("recipe", "cli.show"),
    "arff": ("data.arff",),
    "click": ("cli",),
    "rich": ("cli",),
    "nbframework.kernels._compiled": ("kernels",),
    "sklearn": ("sklearn",),
    "joblib": ("study", "cli.bias_variance"),
    "dask": ("study",),
    "distributed": ("study",),
    "sqlite3": ("study",),
    "psycopg": ("study",),
    "matplotlib": ("report",),
    "jinja2": ("report",),
    "pooch": ("data",),
    "pyarrow": ("data",),
    "annotated_types": ("authoring", "parts"),
}


def modules(folder: Path) -> list[tuple[str, Path]]:
    """Return the dotted name of each module below a folder, without the folder's own, and its file."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        steps = path.relative_to(folder).with_suffix("").parts
        found.append((".".join(step for step in steps if step != "__init__"), path))
    return found


def imports(path: Path) -> set[str]:
    """Return every module that a file imports, wherever the import stands; ``from a import b`` gives both names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


# --- contracts


def test_the_import_contracts_hold():
    pytest.importorskip("importlinter", reason="import-linter checks the layers of the frame")
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(command), "--no-cache", "tests/import_contracts.toml"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("library", ROOMS)
def test_each_library_has_its_room(library):
    strays = [
        name
        for name, path in modules(FRAME)
        if any(inside(imported, library) for imported in imports(path))
        and not any(inside(name, room) for room in ROOMS[library])
    ]
    assert strays == []


def test_the_frame_imports_no_plugin():
    for name, path in modules(FRAME):
        assert not [module for module in imports(path) if re.match(r"nbframework_|plugins\b", module)], name


@pytest.mark.parametrize("package", PACKAGES)
def test_a_plugin_imports_the_authors_door_and_itself_only(package):
    doors = (package, "nbframework.authoring", "nbframework.testing")
    for name, path in modules(PLUGINS / package):
        frame = {module for module in imports(path) if module.startswith("nbframework")} - {"nbframework"}
        strays = [module for module in frame if not any(inside(module, door) for door in doors)]
        assert strays == [], f"{package}.{name}"


def test_the_door_leads_to_everything_it_promises():
    import nbframework.authoring as door

    assert door.__all__ == sorted(door.__all__)
    assert all(hasattr(door, name) for name in door.__all__)


def test_the_users_door_leads_to_everything_it_promises():
    import nbframework

    assert nbframework.__all__ == sorted(nbframework.__all__)
    assert all(hasattr(nbframework, name) for name in nbframework.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = nbframework.nothing


# --- what starting costs


def imported_by(*arguments: str) -> set[str]:
    """Return the modules that a process imports on its way."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_numpy(option):
    found = imported_by("-m", "nbframework", option)
    assert "nbframework.cli.group" in found
    assert not [
        name for name in found if name.split(".")[0] in ("numpy", "scipy", "yaml", "rich", "nbframework_basics")
    ]


def test_importing_the_package_imports_no_numpy():
    found = imported_by("-c", "import nbframework")
    assert not [name for name in found if name.split(".")[0] in ("numpy", "scipy", "click")]


# --- entry points


def declared() -> dict[str, str]:
    with (ROOT / "pyproject.toml").open("rb") as stream:
        return tomllib.load(stream)["project"]["entry-points"][GROUP]


def plugin_modules() -> set[str]:
    """Return the modules of the plugin folders that implement a hook."""
    return {
        f"{package}.{name}"
        for package in PACKAGES
        for name, path in modules(PLUGINS / package)
        if re.search(r"^@hookimpl\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


def test_every_plugin_module_is_declared():
    missing = plugin_modules() - set(declared().values())
    lines = "\n".join(f'"kind.part" = "{module}"' for module in sorted(missing))
    assert not missing, f"add to [project.entry-points.{GROUP}] in pyproject.toml:\n{lines}"


def test_every_declared_module_is_there():
    assert sorted(set(declared().values()) - plugin_modules()) == []


def test_the_installed_entry_points_are_those_declared():
    found = {
        point.name: point.value
        for point in entry_points(group=GROUP)
        if point.dist is not None and point.dist.name == "nbframework"
    }
    assert found == declared(), "entry points are read when installing: run\n    pip install -e .    (or: uv sync)"


def test_every_part_is_declared_under_its_own_name():
    plugins = Plugins(source for source in installed_sources() if source.distribution == "nbframework")
    plugins.load_all()
    assert [str(fault) for fault in plugins.faults] == []
    parts = {f"{registration.part.kind}.{registration.part.name}" for registration in plugins.registry}
    assert parts == {name for name in declared() if not name.startswith("recipes.")}
    assert {registration.provider.split()[0] for registration in plugins.registry} == {"nbframework"}
