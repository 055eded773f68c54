"""The page about one part, for ``nbf parts NAME``."""

import textwrap
from collections.abc import Iterator

import click

from nbframework.plugins import Plugins
from nbframework.recipe.reference import Reference, recipes_with
from nbframework.recipe.reference_page import Section, introduction, sections

WIDTH = 100


def print_reference(reference: Reference, plugins: Plugins) -> None:
    """Print everything about a part, one section below the other."""
    part, registration = reference.part, reference.registration
    click.echo(f"{part.kind} {part.name}  ({registration.provider}, {registration.origin})\n")
    for paragraph in introduction(reference):
        click.echo(_wrapped(paragraph, 0) + "\n")
    for section in sections(reference, plugins, recipes_with(part, plugins)):
        click.echo("\n".join([section.title, *_lines(section)]) + "\n")


def _lines(section: Section) -> Iterator[str]:
    for entry in section.entries:
        yield _wrapped(entry.head, 4)
        yield from (_wrapped(line, 8) for line in entry.lines)


def _wrapped(line: str, margin: int) -> str:
    return textwrap.fill(
        line,
        WIDTH,
        initial_indent=" " * margin,
        subsequent_indent=" " * (margin + 4 if margin else 0),
        break_on_hyphens=False,
        break_long_words=False,
    )
