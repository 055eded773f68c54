"""Targets as files: ``configs/reproductions/PAPER-TARGET.yaml``, read strictly."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from nbframework.errors import DataError, RecipeError, did_you_mean
from nbframework.recipe.nodes import Faults, Node, plain
from nbframework.recipe.strict_yaml import load_file
from nbframework.reproduction.claims import ARGUMENTS
from nbframework.reproduction.measured import OF_DATA, OF_RECIPES
from nbframework.reproduction.printed import PrintedTable, load_printed
from nbframework.reproduction.target import (
    SCALES,
    Average,
    Axis,
    Claim,
    Column,
    Evidence,
    Explanation,
    Quick,
    ReadingGroup,
    Target,
    Tolerance,
)
from nbframework.study.sections import Section

SLIPS = "slips"
"""The target that shows what a paper overlooked."""
_KEYS: tuple[str, ...] = ("reproduction", "title", "source", "study", "printed", "unit", "rows", "methods", "columns")
_KEYS += ("averages", "tolerance", "explanations", "claims", "readings", "quick", "figure")
_EXPLANATION = ("rows", "columns", "reason", "evidence")
_EVIDENCE = ("recipe", "set", "seeds", "stratified", "suite")


def definitions_folder() -> Path:
    """Return the folder of the targets that come with nbframework."""
    return Path(str(files("nbframework.configs"))) / "reproductions"


def target_names() -> dict[str, list[str]]:
    """Return the names of all targets by paper: tables, figures, others, and the slips."""
    found: dict[str, list[str]] = {}
    for path in sorted(definitions_folder().glob("*-*.yaml")):
        paper, _, name = path.stem.partition("-")
        found.setdefault(paper, []).append(name)
    return {paper: sorted(names, key=_place) for paper, names in found.items()}


def _place(name: str) -> tuple[int, str]:
    order = [name.startswith("table"), name.startswith("figure"), name != SLIPS, True]
    return order.index(True), name


def targets_of(paper: str) -> list[str]:
    """Return the targets of a paper; RecipeError with the nearest paper."""
    known = target_names()
    if paper not in known:
        raise RecipeError(f"no paper {paper!r}{did_you_mean(paper, known)} (papers: {', '.join(known)})")
    return known[paper]


def find_definition(paper: str, name: str) -> Path:
    """Return the file of a target; RecipeError with the nearest name."""
    known = targets_of(paper)
    if name not in known:
        raise RecipeError(f"{paper} has no target {name!r}{did_you_mean(name, known)} (targets: {', '.join(known)})")
    return definitions_folder() / f"{paper}-{name}.yaml"


def load_target(path: Path, printed: Path | None = None) -> Target:
    """Return the target that a file describes.

    Parameters
    ----------
    path
        A file named ``PAPER-TARGET.yaml``.
    printed
        The folder of printed tables; by default that of nbframework.

    Raises
    ------
    RecipeError
        Listing every fault with file, line, column and key.
    """
    faults = Faults()
    section = Section.of(load_file(path), str(path), (), faults, _KEYS)
    section.require("reproduction", "title", "source", "study", "columns", "tolerance")
    paper, _, name = path.stem.partition("-")
    if section.text("reproduction") != path.stem:
        section.fault("reproduction", f"expected the name of the file, {path.stem!r}")
    recipes = section.choice("rows", ("data", "recipes"), "data") == "recipes"
    target = Target(
        paper,
        name,
        section.text("title"),
        section.text("source"),
        path,
        section.text("study"),
        _printed(section, printed),
        section.choice("unit", tuple(SCALES), "share"),
        recipes,
        {key: str(plain(entry.node)) for key, entry in _mapping(section, "methods").items()},
        _columns(section, OF_RECIPES if recipes else OF_DATA),
        _averages(section),
        _tolerance(section, "tolerance") or Tolerance(0.0),
        tuple(_explanation(inner) for inner in _inner(section, "explanations", _EXPLANATION)),
        tuple(_claim(section, index, node) for index, node in section.items("claims")),
        tuple(_group(inner) for inner in _inner(section, "readings", ("members", "recipes", "axes"))),
        _quick(section),
        {key: plain(entry.node) for key, entry in _mapping(section, "figure").items()},
    )
    _check_columns(section, target)
    faults.raise_if_any()
    return target


def _printed(section: Section, folder: Path | None) -> PrintedTable:
    if "printed" not in section:
        return PrintedTable("")
    try:
        return load_printed(section.text("printed"), folder)
    except DataError as error:
        section.fault("printed", str(error))
        return PrintedTable("")


def _mapping(section: Section, key: str) -> dict[str, Any]:
    if key not in section:
        return {}
    value = section.entries[key].node.value
    if isinstance(value, dict):
        return value
    section.fault(key, "expected a mapping")
    return {}


def _inner(section: Section, key: str, keys: tuple[str, ...]) -> list[Section]:
    found = []
    for index, node in section.items(key):
        found.append(Section.of(node, section.source, (key, index), section.faults, keys))
    return found


def _tolerance(section: Section, key: str) -> Tolerance | None:
    if key not in section:
        return None
    if isinstance(section.entries[key].node.value, dict):
        inner = section.section(key, ("absolute", "deviations"))
        inner.require("absolute")
        return Tolerance(inner.number("absolute", 0.0), inner.number("deviations", 0.0))
    return Tolerance(section.number(key, 0.0))


def _columns(section: Section, kinds: tuple[str, ...]) -> tuple[Column, ...]:
    found = []
    for name, entry in _mapping(section, "columns").items():
        if isinstance(entry.node.value, str) and "score" in kinds:
            found.append(Column(name, "score", (entry.node.value,)))
            continue
        keys = (*kinds, "metric", "tolerance", "judged", "data")
        inner = Section.of(entry.node, section.source, ("columns", name), section.faults, keys)
        chosen = [kind for kind in kinds if kind in inner]
        if len(chosen) != 1:
            section.fault_at(entry.node, ("columns", name), f"expected one of {', '.join(kinds)}")
            continue
        labels = inner.texts(chosen[0])
        found.append(
            Column(
                name,
                chosen[0],
                labels,
                inner.text("metric"),
                _tolerance(inner, "tolerance"),
                inner.boolean("judged", True),
                inner.text("data", "{row}"),
            )
        )
    return tuple(found)


def _averages(section: Section) -> tuple[Average, ...]:
    found = []
    for name, entry in _mapping(section, "averages").items():
        inner = Section.of(entry.node, section.source, ("averages", name), section.faults, ("without",))
        found.append(Average(name, inner.texts("without")))
    return tuple(found)


def _explanation(inner: Section) -> Explanation:
    inner.require("rows", "columns", "reason")
    evidence = None
    if "evidence" in inner:
        given = inner.section("evidence", _EVIDENCE)
        changes = {path: plain(entry.node) for path, entry in _mapping(given, "set").items()}
        seeds = tuple(int(text) for text in given.texts("seeds") if text.isdigit())
        evidence = Evidence(
            given.text("recipe"), changes, seeds, given.boolean("stratified", True), given.text("suite")
        )
    return Explanation(inner.texts("rows"), inner.texts("columns"), inner.text("reason"), evidence)


def _claim(section: Section, index: int, node: Node) -> Claim:
    keys = ("claim", *{key.lstrip("?") for names in ARGUMENTS.values() for key in names}, *ARGUMENTS)
    inner = Section.of(node, section.source, ("claims", index), section.faults, keys)
    inner.require("claim")
    chosen = [kind for kind in ARGUMENTS if kind in inner]
    if len(chosen) != 1:
        section.fault_at(node, ("claims", index), f"expected one of {', '.join(ARGUMENTS)}")
        return Claim(inner.text("claim"), "order", {"order": []})
    arguments = {key: plain(inner.entries[key].node) for key in inner.entries if key != "claim"}
    for key in arguments:
        if key not in (chosen[0], *(name.lstrip("?") for name in ARGUMENTS[chosen[0]])):
            inner.fault(key, f"is no key of {chosen[0]}")
    inner.require(*(key for key in ARGUMENTS[chosen[0]] if not key.startswith("?")))
    return Claim(inner.text("claim"), chosen[0], arguments)


def _group(inner: Section) -> ReadingGroup:
    inner.require("members", "recipes", "axes")
    recipes = {name: str(plain(entry.node)) for name, entry in _mapping(inner, "recipes").items()}
    axes = []
    for name, entry in _mapping(inner, "axes").items():
        readings = plain(entry.node)
        if not isinstance(readings, dict) or not all(isinstance(change, dict) for change in readings.values()):
            inner.fault_at(entry.node, ("axes", name), "expected readings by name, each with changes of the recipe")
            continue
        axes.append(Axis(name, readings))
    members = inner.texts("members")
    for member in members:
        if member not in recipes:
            inner.fault("recipes", f"no recipe for {member!r}")
    return ReadingGroup(members, recipes, tuple(axes))


def _quick(section: Section) -> Quick:
    inner = section.section("quick", ("only", "repeats"))
    return Quick(inner.texts("only"), inner.integer("repeats", 0, 1))


def _check_columns(section: Section, target: Target) -> None:
    """Note columns of the print, of explanations and of differences that the target does not have."""
    names = [column.name for column in target.columns]
    wanted = [*target.printed.columns, *(c for e in target.explanations for c in e.columns if c != "*")]
    wanted += [name for column in target.columns if column.kind in ("minus", "over") for name in column.labels]
    for name in dict.fromkeys(wanted):
        if name not in names:
            section.fault("columns", f"there is no column {name!r}{did_you_mean(name, names)}")
