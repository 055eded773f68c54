"""Studies made from a study: a part of it, other seeds, other recipes in the place of its own."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nbframework.errors import RecipeError
from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.plugins import installed
from nbframework.recipe import Recipe
from nbframework.reproduction.target import Evidence, Quick
from nbframework.study.matrix import LabelledRecipe
from nbframework.study.study import Study
from nbframework.study.suite import SuiteSet, load_suite


def quick_part(study: Study, quick: Quick) -> Study:
    """Return the part of a study that runs in about a minute."""
    known = [entry.name for entry in study.sets]
    strange = [name for name in quick.only if name not in known]
    if strange:
        raise RecipeError(f"{study.name}: no data set {strange[0]!r} for the quick run (known: {', '.join(known)})")
    part = only_sets(study, quick.only) if quick.only else study
    return with_repeats(part, quick.repeats) if quick.repeats else part


def only_sets(study: Study, names: Sequence[str]) -> Study:
    """Return a study of some data sets."""
    return replace(study, sets=tuple(entry for entry in study.sets if entry.name in names))


def only_recipes(study: Study, labels: Sequence[str]) -> Study:
    """Return a study of some recipes."""
    return replace(study, recipes=tuple(entry for entry in study.recipes if entry.label in labels))


def with_repeats(study: Study, repeats: int) -> Study:
    """Return a study with at most so many repeats, also where data sets have protocols of their own."""

    def fewer(protocol: EvaluationProtocol) -> EvaluationProtocol:
        """Return the protocol with fewer repeats; 0 repeats leave the number to the size of the data set."""
        return replace(protocol, repeats=min(protocol.repeats, repeats) if protocol.repeats else repeats)

    return _with_protocols(study, fewer)


def with_seed(study: Study, seed: int) -> Study:
    """Return a study with another seed, also where data sets have protocols of their own."""
    return _with_protocols(study, lambda protocol: replace(protocol, seed=seed))


def unstratified(study: Study) -> Study:
    """Return a study whose folds are dealt without a look at the classes."""
    return _with_protocols(study, lambda protocol: replace(protocol, stratified=False))


def with_evidence(study: Study, evidence: Evidence, labels: Sequence[str]) -> Study:
    """Return a study under the evidence of an explanation.

    Parameters
    ----------
    study
        The study.
    evidence
        What is different; its seeds are not looked at.
    labels
        The recipes that are run; another recipe takes the place, and the label, of the first one. Changes without
        another recipe change all of them.
    """
    changed = only_recipes(study, labels)
    if evidence.recipe:
        other = LabelledRecipe(labels[0], loaded(evidence.recipe, evidence.changes))
        recipes = [other if entry.label == labels[0] else entry for entry in changed.recipes]
        changed = replace(changed, recipes=tuple(recipes))
    elif evidence.changes:
        recipes = [LabelledRecipe(entry.label, altered(entry.recipe, evidence.changes)) for entry in changed.recipes]
        changed = replace(changed, recipes=tuple(recipes))
    if evidence.suite:
        others = {entry.name: entry for entry in load_suite(evidence.suite).sets}
        changed = replace(changed, sets=tuple(others.get(entry.name, entry) for entry in changed.sets))
    return changed if evidence.stratified else unstratified(changed)


def loaded(name: str, changes: Mapping[str, Any]) -> Recipe:
    """Return a recipe by name with changes; RecipeError where they do not fit."""
    return Recipe.load_with(installed(), name, changes, "set")


def altered(recipe: Recipe, changes: Mapping[str, Any]) -> Recipe:
    """Return a recipe with changes by path; RecipeError where they do not fit."""
    # JSON is YAML
    return Recipe.from_text(json.dumps(recipe.resolved()), recipe.name, **changes)


def _with_protocols(study: Study, change: Any) -> Study:
    def of_set(entry: SuiteSet) -> SuiteSet:
        return entry if entry.protocol is None else replace(entry, protocol=change(entry.protocol))

    protocol = replace(study.protocol, base=change(study.protocol.base))
    return replace(study, protocol=protocol, sets=tuple(of_set(entry) for entry in study.sets))
