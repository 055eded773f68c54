"""The page about one part, for ``nbf parts NAME``."""

import textwrap
from collections.abc import Iterable

import click

from nbframework.plugins import Plugins
from nbframework.recipe.reference import Reference, example_recipe, recipes_with, written

WIDTH = 100


def print_reference(reference: Reference, plugins: Plugins) -> None:
    """Print everything about a part, one section below the other; a section without content is left out."""
    part, words = reference.part, reference.docstring
    click.echo(f"{part.kind} {part.name}  ({reference.registration.provider}, {reference.registration.origin})\n")
    for paragraph in (words.summary, *words.description):
        click.echo(_wrapped(paragraph, 0) + "\n")
    _section("Equation", [words.equation] if words.equation else [])
    _section("Parameters", _parameters(reference))
    _section(f"Every {part.kind} part computes", _contract(reference))
    _section("Notes", _paragraphs(words.sections.get("Notes", "")))
    _section("From", [part.cite] if part.cite else [])
    _section("References", _paragraphs(words.sections.get("References", "")))
    _section("Promises that it cannot keep", [f"{name}: {reason}" for name, reason in part.exceptions.items()])
    example = example_recipe(part, plugins)
    _section("In a recipe", example.splitlines() if example else [])
    recipes = recipes_with(part, plugins)
    _section("Recipes with it", [", ".join(recipes)] if recipes else [])


def _section(title: str, lines: Iterable[str]) -> None:
    block = "\n".join(_wrapped(line, 4) for line in lines)
    if block:
        click.echo(f"{title}\n{block}\n")


def _paragraphs(text: str) -> list[str]:
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip()]


def _parameters(reference: Reference) -> Iterable[str]:
    for parameter in reference.parameters:
        default = "has to be given" if parameter.is_required else f"default {written(parameter.default)}"
        yield f"{parameter.name}: {parameter.expected}; {default}"
        if parameter.description:
            yield f"    {parameter.description}"


def _contract(reference: Reference) -> Iterable[str]:
    for method in reference.contract:
        yield method.call
        yield f"    {method.returns}"
        for name, words in method.arguments.items():
            yield f"    {name}: {words}"


def _wrapped(line: str, indent: int) -> str:
    """Return a line wrapped, its own indentation kept."""
    margin = " " * (indent + len(line) - len(line.lstrip()))
    further = margin + ("    " if indent else "")
    return textwrap.fill(
        line.strip(),
        WIDTH,
        initial_indent=margin,
        subsequent_indent=further,
        break_on_hyphens=False,
        break_long_words=False,
    )
