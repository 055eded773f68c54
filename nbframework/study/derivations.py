"""Derivation files: how a published file, or a generator, becomes a data set of a suite."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from nbframework.data.derive.derivation import Derivation
from nbframework.data.derive.document import Layout
from nbframework.data.derive.reading import FORMS, Mend, Reading
from nbframework.data.derive.steps import STEPS, Step
from nbframework.data.derive.table import KINDS, Kind
from nbframework.errors import did_you_mean
from nbframework.parts.generator import DataGenerator
from nbframework.plugins import installed
from nbframework.recipe.nodes import Faults, Node
from nbframework.recipe.specification import Place, build_part, read_specification
from nbframework.recipe.strict_yaml import load_file
from nbframework.study.sections import Section
from nbframework.study.suite import find_config

_KEYS = ("derivation", "relation", "comment", "blank_lines", "read", "generator", "seed", "steps")
_READ_KEYS = ("form", "columns", "leave_out_lines", "comment", "mend", "unknown", "part")
_MEND_KEYS = ("line", "found", "mended")


@dataclass(frozen=True)
class LoadedDerivation:
    """A derivation and what it starts from.

    Parameters
    ----------
    derivation
        How the data set is made.
    generator
        The part whose data set is derived; None where the source is a file.
    seed
        Of the generator.
    """

    derivation: Derivation
    generator: DataGenerator | None
    seed: int

    def generated(self) -> bytes:
        """Return the ARFF document that comes of the generator."""
        if self.generator is None:
            raise AssertionError("only a derivation with a generator generates")
        return self.derivation.of_dataset(self.generator.generate(np.random.default_rng(self.seed)))


def load_derivation(name: str | os.PathLike[str], beside: Path | None = None) -> LoadedDerivation:
    """Return a derivation by name or file; RecipeError lists every fault in it."""
    path = find_config("derivation", name, beside)
    faults = Faults()
    section = Section.of(load_file(path), str(path), (), faults, _KEYS)
    section.require("derivation", "relation")
    if ("read" in section) == ("generator" in section):
        section.fault_at(section.node, (), "one of the keys 'read' and 'generator' is required")
    layout = Layout(
        relation=section.text("relation"),
        comment=_lines(section),
        blank_lines=section.boolean("blank_lines", True),
    )
    reading = _reading(section) if "read" in section else None
    generator = _generator(section) if "generator" in section else None
    steps = tuple(filter(None, (_step(section, index, node) for index, node in section.items("steps"))))
    seed = section.integer("seed", 1, 0)
    faults.raise_if_any()
    derivation = Derivation(name=section.text("derivation"), reading=reading, steps=steps, layout=layout)
    return LoadedDerivation(derivation, generator, seed)


def _lines(section: Section) -> tuple[str, ...]:
    return tuple(section.text("comment").rstrip("\n").split("\n")) if "comment" in section else ()


def _reading(top: Section) -> Reading:
    section = top.section("read", _READ_KEYS)
    section.require("form")
    form = section.choice("form", FORMS, FORMS[0])
    needs_columns = form in ("comma-separated", "blank-separated", "spreadsheet")
    if "columns" not in section and needs_columns:
        section.fault("columns", f"the form {form} needs the names and kinds of its columns")
    for key in ("columns",) if not needs_columns else ():
        if key in section:
            section.fault(key, f"the form {form} brings its columns along")
    if form in ("spreadsheet", "r-data"):
        section.require("part")
    numbers = [_whole(section, "leave_out_lines", index, node) for index, node in section.items("leave_out_lines")]
    return Reading(
        form=form,
        columns=_mapping(section, "columns", _kind),
        leave_out_lines=tuple(numbers),
        comment=section.text("comment"),
        mend=tuple(_mend(section, index, node) for index, node in section.items("mend")),
        unknown=section.text("unknown", "?"),
        part=section.text("part"),
    )


def _whole(section: Section, key: str, index: int, node: Node) -> int:
    if isinstance(node.value, int) and not isinstance(node.value, bool) and node.value >= 1:
        return node.value
    section.fault_at(node, (key, index), f"found {node.raw!r}, expected the number of a line, from 1")
    return 0


def _mend(section: Section, index: int, node: Node) -> Mend:
    inner = Section.of(node, section.source, (*section.path, "mend", index), section.faults, _MEND_KEYS)
    inner.require(*_MEND_KEYS)
    return Mend(inner.integer("line", 1, 1), inner.text("found"), inner.text("mended"))


def _generator(section: Section) -> DataGenerator | None:
    node = section.entries["generator"].node
    place = Place(section.source, node.line, node.column)
    spec = read_specification(node, "generator", place, section.faults)
    if spec is None:
        return None
    part = build_part("generator", spec, "generator", installed(), section.faults, [])
    return part if isinstance(part, DataGenerator) else None


def _step(top: Section, index: int, node: Node) -> Step | None:
    entries = node.value if isinstance(node.value, dict) else {}
    if len(entries) != 1:
        top.fault_at(node, ("steps", index), f"expected {{step: parameters}} (steps: {', '.join(STEPS)})")
        return None
    ((name, entry),) = entries.items()
    if name not in STEPS:
        hint = did_you_mean(name, STEPS) or f" (steps: {', '.join(STEPS)})"
        top.fault_at(node, ("steps", index, name), f"unknown step{hint}")
        return None
    parameters = fields(STEPS[name])
    content = entry.node
    if len(parameters) == 1:
        content = Node({parameters[0].name: entry}, content.line, content.column)
    keys = [parameter.name for parameter in parameters]
    section = Section.of(content, top.source, ("steps", index, name), top.faults, keys)
    section.require(*keys)
    return STEPS[name](
        **{parameter.name: _READERS[parameter.type](section, parameter.name) for parameter in parameters}
    )


def _mapping(section: Section, key: str, read: Callable[[Section, str], Any]) -> Mapping[str, Any]:
    node = section.entries[key].node if key in section else Node({}, 0, 0)
    if not isinstance(node.value, dict):
        section.fault(key, "expected a mapping")
        return {}
    inner = Section(node, section.source, (*section.path, key), section.faults)
    return {name: read(inner, name) for name in inner.entries}


def _kind(section: Section, key: str) -> Kind:
    if isinstance(section.entries[key].node.value, list):
        return section.texts(key)
    kind = section.choice(key, KINDS, "numeric")
    return "sorted" if kind == "sorted" else "text" if kind == "text" else "numeric"


_READERS: dict[Any, Callable[[Section, str], Any]] = {
    str: Section.text,
    tuple[str, ...]: Section.texts,
    Mapping[str, str]: lambda section, key: _mapping(section, key, Section.text),
    Mapping[str, Kind]: lambda section, key: _mapping(section, key, _kind),
}
"""How the parameter of a step is read, by its type."""
