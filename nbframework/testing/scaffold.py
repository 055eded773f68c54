"""A new plugin: a complete distribution with one part that works, its tests and its README."""

import importlib.util
import keyword
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template

from nbframework.errors import PluginError, did_you_mean, writing
from nbframework.hookspecs import HOOK_OF_KIND
from nbframework.parts import KINDS
from nbframework.parts.base import NAME_PATTERN
from nbframework.plugins import Plugins

LONGEST_NAME = 60


@dataclass(frozen=True)
class NewPlugin:
    """What a new plugin is called.

    Parameters
    ----------
    kind
        One of the ten kinds.
    name
        The part, as recipes call it: lower-case words joined by hyphens.

    Raises
    ------
    PluginError
        On an unknown kind or a name of another form, with the nearest right one.
    """

    kind: str
    name: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise PluginError(f"no kind {self.kind!r}{did_you_mean(self.kind, KINDS)} (kinds: {', '.join(KINDS)})")
        if not NAME_PATTERN.fullmatch(self.name) or len(self.name) > LONGEST_NAME:
            raise PluginError(
                f"a part cannot be called {self.name!r}, expected lower-case words of letters and digits joined by "
                f"hyphens, {LONGEST_NAME} characters at most, such as 'three-way-split'"
            )

    @property
    def distribution(self) -> str:
        """What pip calls it."""
        return f"nbframework-{self.name}"

    @property
    def package(self) -> str:
        """What Python imports."""
        return f"nbframework_{self.name.replace('-', '_')}"

    @property
    def module(self) -> str:
        """The module with the part."""
        name = self.name.replace("-", "_")
        return f"{name}_part" if keyword.iskeyword(name) else name

    @property
    def class_name(self) -> str:
        """The class of the part: the words of its name, and the kind's where they would be a word of Python."""
        name = "".join(word.capitalize() for word in self.name.split("-"))
        return f"{name}Part" if keyword.iskeyword(name) or name in IMPORTED else name

    @property
    def usage(self) -> str:
        """How the part is used, in Markdown."""
        if self.kind == "generator":
            imports = f"import numpy as np\nfrom {self.package}.{self.module} import {self.class_name}"
            call = f"dataset = {self.class_name}().generate(np.random.default_rng(1))"
            return f"In Python:\n\n```python\n{imports}\n\n{call}\n```"
        line = f"{self.kind}: {self.name}"
        if self.kind == "distance":
            line = f"neighbourhood: {{nearest: {{distance: {self.name}}}}}"
        return f"In a recipe:\n\n```yaml\nrecipe: my-recipe\n{line}\n```"


IMPORTED = frozenset(
    {*(base.__name__ for base in KINDS.values()), *(f"Fitted{base.__name__}" for base in KINDS.values())}
    | {"Annotated", "Any", "Attribute", "Codes", "Composition", "Counts", "Dataset", "Evidence", "Ge", "Gt", "Literal"}
    | {"ClassVar", "Neighbours", "Rows", "Training"}
)
"""Names that the templates import, which no class of theirs may have."""


def write_plugin(plugin: NewPlugin, folder: Path, plugins: Plugins) -> list[Path]:
    """Write the distribution and return its files.

    Parameters
    ----------
    plugin
        What it is called.
    folder
        Where it goes; it must not exist.
    plugins
        The installed ones, with which it must not clash.

    Raises
    ------
    PluginError
        Where the folder exists or cannot be written, or a name is taken.
    """
    _check_free(plugin, plugins)
    if folder.exists() or folder.is_symlink():
        raise PluginError(f"{folder}: exists already; name another folder with --output")
    names = {
        "kind": plugin.kind,
        "name": plugin.name,
        "distribution": plugin.distribution,
        "package": plugin.package,
        "module": plugin.module,
        "class_name": plugin.class_name,
        "hook": HOOK_OF_KIND[plugin.kind],
        "version": version("nbframework"),
        "usage": plugin.usage,
    }
    texts = {
        "pyproject.toml": _filled("pyproject.toml", names),
        "README.md": _filled("README.md", names),
        f"{plugin.package}/__init__.py": f'"""The {plugin.kind} {plugin.name} for nbframework."""\n',
        f"{plugin.package}/py.typed": "",
        f"{plugin.package}/{plugin.module}.py": _filled(f"{plugin.kind}.py", names),
        f"tests/test_{plugin.module}.py": _filled(f"test_{plugin.kind}.py", names),
    }
    written = []
    for name, text in texts.items():
        path = folder / name
        with writing(path, PluginError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _check_free(plugin: NewPlugin, plugins: Plugins) -> None:
    if plugin.name in plugins.names(plugin.kind):
        promised = [s.provider for s in plugins.sources if s.part == (plugin.kind, plugin.name)]
        by = promised[0] if promised else plugins.find(plugin.kind, plugin.name).provider
        raise PluginError(f"the {plugin.kind} {plugin.name!r} is provided by {by}; choose another name")
    if importlib.util.find_spec(plugin.package) is not None:
        raise PluginError(f"the package {plugin.package} is installed already; choose another name")


def _filled(name: str, names: dict[str, str]) -> str:
    text = (files("nbframework.testing") / "templates" / f"{name}.template").read_text(encoding="utf-8")
    return Template(text).substitute(names)
