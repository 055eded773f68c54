"""What a user calls a plugin: a distribution, an entry point, a part, a module, a folder or a file."""

import dataclasses
import importlib
import importlib.util
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from nbframework.errors import PluginError, did_you_mean
from nbframework.parts import Part
from nbframework.parts.base import parameters
from nbframework.plugins import GROUP, Fault, Plugins, Source
from nbframework.registry import Registration

HOOK = re.compile(r"^@hookimpl\b", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """The plugins that a user means.

    Parameters
    ----------
    registrations
        Their parts.
    faults
        Those of them that cannot be used.
    """

    registrations: tuple[Registration, ...]
    faults: tuple[Fault, ...]


def find_target(text: str, plugins: Plugins) -> Target:
    """Return the parts that a text means, loading what provides them.

    Parameters
    ----------
    text
        A folder with a ``pyproject.toml``, a Python file, or the name of a distribution, an entry point, a part or a
        module; of the same names the installed one.
    plugins
        The installed ones; those of a folder, a file or a module are added to them.

    Raises
    ------
    PluginError
        Where nothing has that name, with the nearest one.
    """
    if not text:
        raise PluginError("no plugin '' (nbf plugin list lists them)")
    path = Path(text)
    is_path = text.endswith(".py") or os.sep in text or text in (".", "..")
    sources = [] if is_path else _named(text, plugins)
    if not sources and path.is_dir():
        sources = _of_folder(path)
    elif not sources and is_path:
        sources = _of_file(path)
    elif not sources:
        sources = _of_module(text, plugins)
    for source in sources:
        plugins.load(source)
    providers = {source.provider for source in sources}
    found = [r for r in plugins.registry if r.provider in providers]
    if text in {r.part.name for r in found}:
        found = [r for r in found if r.part.name == text]
    faults = tuple(fault for fault in plugins.faults if fault.source in sources)
    return Target(tuple(found), faults)


def configured(part: type[Part], plugins: Plugins) -> Part | str:
    """Return the part with its defaults, and with any installed part where it requires one; else why there is none."""
    given = {}
    for parameter in parameters(part):
        if parameter.default is not dataclasses.MISSING:
            continue
        made = _any_part(parameter.plain.kind, plugins) if parameter.is_part else None
        if made is None:
            return f"its parameter {parameter.name} has no default; call checks_of on a configured one in its tests"
        given[parameter.name] = made
    return part(**given)


def _any_part(kind: str, plugins: Plugins) -> Part | None:
    for name in plugins.names(kind):
        part = plugins.find(kind, name).part
        if all(parameter.default is not dataclasses.MISSING for parameter in parameters(part)):
            return part()
    return None


def _named(text: str, plugins: Plugins) -> list[Source]:
    """Return the installed sources of a distribution, an entry point, a part, or a module and those below it."""
    return [
        source
        for source in plugins.sources
        if text in (source.name, source.module, source.name.partition(".")[2])
        or source.module.startswith(f"{text}.")
        or (source.distribution and canonicalize_name(source.distribution) == canonicalize_name(text))
    ]


def _of_folder(folder: Path) -> list[Source]:
    """Return the entry points that the project in a folder declares, and make its modules importable."""
    file = folder / "pyproject.toml"
    try:
        project = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
        points = project.get("entry-points", {}).get(GROUP, {})
        name, version = str(project["name"]), str(project.get("version", "0"))
        found = [Source(point, module.partition(":")[0], name, version) for point, module in points.items()]
    except FileNotFoundError as error:
        raise PluginError(f"{folder}: has no pyproject.toml, so it is no plugin's folder") from error
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise PluginError(
            f"{file}: cannot be read as the project of a plugin: {type(error).__name__}: {error}"
        ) from error
    if not found:
        raise PluginError(f'{file}: declares no entry point in [project.entry-points.{GROUP}], such as "kind.name"')
    _import_from(folder / "src" if (folder / "src").is_dir() else folder)
    return found


def _of_file(path: Path) -> list[Source]:
    """Return the module in a file, by its name within the packages around it."""
    if not path.is_file():
        raise PluginError(f"{path}: no such file or folder")
    steps, folder = [path.stem], path.resolve().parent
    while (folder / "__init__.py").is_file():
        steps.insert(0, folder.name)
        folder = folder.parent
    _import_from(folder)
    module = ".".join(steps)
    return [Source(module, module)]


def _of_module(text: str, plugins: Plugins) -> list[Source]:
    """Return the modules with hooks in an importable module or package."""
    sys.path[:0] = [] if "" in sys.path else [""]
    try:
        specification = importlib.util.find_spec(text)
    except (ImportError, ValueError):
        specification = None
    if specification is None:
        raise PluginError(f"no plugin {text!r}{did_you_mean(text, _known(plugins))} (nbf plugin list lists them)")
    files: Iterable[Path] = [Path(specification.origin)] if specification.origin else []
    if specification.submodule_search_locations:
        files = (path for place in specification.submodule_search_locations for path in Path(place).rglob("*.py"))
    modules = sorted(_module_name(text, specification.submodule_search_locations, path) for path in _with_hooks(files))
    if not modules:
        raise PluginError(f"{text}: has no hook marked with @hookimpl, so it is no plugin")
    return [Source(module, module) for module in modules]


def _with_hooks(files: Iterable[Path]) -> Iterator[Path]:
    for path in files:
        if path.suffix == ".py" and HOOK.search(path.read_text(encoding="utf-8", errors="replace")):
            yield path


def _module_name(package: str, places: Iterable[str] | None, path: Path) -> str:
    for place in places or ():
        if path.is_relative_to(place):
            steps = path.relative_to(place).with_suffix("").parts
            return ".".join([package, *(step for step in steps if step != "__init__")])
    return package


def _known(plugins: Plugins) -> set[str]:
    distributions = {source.distribution for source in plugins.sources}
    parts = {source.part[1] for source in plugins.sources if source.part}
    return (distributions | parts | {source.name for source in plugins.sources}) - {""}


def _import_from(folder: Path) -> None:
    place = str(folder.resolve())
    if place not in sys.path:
        sys.path.insert(0, place)
    importlib.invalidate_caches()
