"""Readings: what a paper leaves open, every way of reading it run, ranked by its fit to print."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from nbframework.reproduction.claims import Finding, check_claim, members
from nbframework.reproduction.derived import loaded
from nbframework.reproduction.measured import Measured
from nbframework.reproduction.target import Claim, ReadingGroup, Target
from nbframework.reproduction.verdicts import Summary, judge, summarise
from nbframework.study.matrix import LabelledRecipe
from nbframework.study.study import Study

MOST_COMBINED = 4096
"""The most combinations of readings under which a claim is checked."""


@dataclass(frozen=True)
class Reading:
    """One way of reading a group of columns or rows.

    Parameters
    ----------
    chosen
        The reading of each axis, by the axis.
    labels
        The labels of the recipes by those that they stand for.
    """

    chosen: Mapping[str, str]
    labels: Mapping[str, str]

    @property
    def name(self) -> str:
        """The choices in words."""
        return ", ".join(f"{axis}: {choice}" for axis, choice in self.chosen.items())


@dataclass(frozen=True)
class Fit:
    """How well a reading fits the print of its columns or rows."""

    reading: Reading
    summary: Summary


@dataclass(frozen=True)
class Survival:
    """Whether a claim survives the readings.

    Parameters
    ----------
    text
        The claim.
    holds, decided
        Under how many combinations of readings it holds, and could be decided.
    against
        A combination under which it fails, and the figures, or empty.
    """

    text: str
    holds: int
    decided: int
    against: str


def readings_of(target: Target, group: ReadingGroup) -> tuple[Reading, ...]:
    """Return every combination of the readings of a group's axes."""
    names = [axis.name for axis in group.axes]
    found = []
    for choice in itertools.product(*(axis.readings for axis in group.axes)):
        chosen = dict(zip(names, choice, strict=True))
        suffix = ", ".join(choice)
        found.append(Reading(chosen, {_label(target, member): f"{member} [{suffix}]" for member in group.members}))
    return tuple(found)


def readings_study(target: Target, study: Study) -> Study:
    """Return the study with the recipes of all readings behind its own; what is computed once is shared."""
    added: dict[str, LabelledRecipe] = {}
    for group in target.readings:
        for reading in readings_of(target, group):
            changes: dict[str, Any] = {}
            for axis in group.axes:
                changes |= axis.readings[reading.chosen[axis.name]]
            for member in group.members:
                label = reading.labels[_label(target, member)]
                added[label] = LabelledRecipe(label, _changed(group.recipes[member], changes))
    return replace(study, recipes=(*study.recipes, *added.values()))


def _changed(recipe: str, changes: Mapping[str, Any]) -> Any:
    """Return a recipe; the change ``recipe`` names another one to begin with."""
    others = {path: value for path, value in changes.items() if path != "recipe"}
    return loaded(str(changes.get("recipe", recipe)), others)


def ranked(measured: Measured, group: ReadingGroup) -> tuple[Fit, ...]:
    """Return the readings of a group, those nearest to print first."""
    target = measured.target
    fits = []
    for reading in readings_of(target, group):
        judged = judge(measured.reading(reading.labels))
        mine = [cell for cell in judged if (cell.row if target.rows_are_recipes else cell.column) in group.members]
        fits.append(Fit(reading, summarise(mine, target)))
    return tuple(sorted(fits, key=lambda fit: (not fit.summary.cells, fit.summary.tolerances)))


def survivals(measured: Measured) -> tuple[Survival, ...]:
    """Return for each claim under how many combinations of the readings that touch it the claim holds."""
    return tuple(_survival(claim, measured) for claim in measured.target.claims)


def _survival(claim: Claim, measured: Measured) -> Survival:
    holds, decided, against = 0, 0, ""
    for combination in itertools.islice(_combinations(claim, measured.target), MOST_COMBINED):
        labels = {key: label for _, reading in combination for key, label in reading.labels.items()}
        finding: Finding = check_claim(claim, measured.reading(labels))
        if finding.holds is None:
            continue
        decided += 1
        holds += finding.holds
        if not finding.holds and not against:
            named = "; ".join(f"{' '.join(group.members)} with {reading.name}" for group, reading in combination)
            against = f"{named}: {finding.shown}" if named else finding.shown
    return Survival(claim.text, holds, decided, against)


def _combinations(claim: Claim, target: Target) -> Iterator[tuple[tuple[ReadingGroup, Reading], ...]]:
    """Yield one reading for each group that a claim speaks of, in every combination."""
    named = members(claim)
    # a difference or ratio speaks of the two columns that it is made of
    named |= {label for column in target.columns if column.name in named for label in column.labels}
    groups = [group for group in target.readings if named & {*group.members}]
    for combination in itertools.product(*(readings_of(target, group) for group in groups)):
        yield tuple(zip(groups, combination, strict=True))


def _label(target: Target, member: str) -> str:
    """Return the label of the recipe that a column or row shows."""
    return target.methods.get(member, member) if target.rows_are_recipes else target.column(member).labels[0]
