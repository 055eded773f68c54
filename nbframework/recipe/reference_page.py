"""The page about one part: its sections, for the command line and for the documentation alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nbframework.plugins import Plugins
from nbframework.recipe.reference import Reference, example_recipe, written


@dataclass(frozen=True)
class Entry:
    """A paragraph, or a term with its description.

    Parameters
    ----------
    head
        The paragraph, or the term.
    lines
        The description; empty for a paragraph.
    """

    head: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """One section of the page.

    Parameters
    ----------
    title
        Its heading.
    entries
        What it says, at least one.
    is_code
        Whether the entries are lines of YAML.
    is_contract
        Whether it is the same for all parts of the kind.
    """

    title: str
    entries: tuple[Entry, ...]
    is_code: bool = False
    is_contract: bool = False


def introduction(reference: Reference) -> tuple[str, ...]:
    """Return the paragraphs that stand before the first section."""
    return (reference.docstring.summary, *reference.docstring.description)


def sections(reference: Reference, plugins: Plugins, recipes: Sequence[str]) -> tuple[Section, ...]:
    """Return the sections of a part's page, those without content left out.

    Parameters
    ----------
    reference
        What is known of the part.
    plugins
        The plugins that the example recipe takes other parts from.
    recipes
        The recipes with the part.
    """
    part, words = reference.part, reference.docstring
    example = example_recipe(part, plugins) or ""
    found = (
        Section("Equation", _entries([words.equation])),
        Section("Parameters", tuple(_parameters(reference))),
        Section(f"Every {part.kind} part computes", tuple(_contract(reference)), is_contract=True),
        Section("Notes", _entries(_paragraphs(words.sections.get("Notes", "")))),
        Section("From", _entries([part.cite])),
        Section("References", _entries(_paragraphs(words.sections.get("References", "")))),
        Section(
            "Promises that it cannot keep", _entries([f"{name}: {reason}" for name, reason in part.exceptions.items()])
        ),
        Section("In a recipe", _entries(example.splitlines()), is_code=True),
        Section("Recipes with it", _entries([", ".join(recipes)])),
    )
    return tuple(section for section in found if section.entries)


def _entries(paragraphs: Sequence[str]) -> tuple[Entry, ...]:
    return tuple(Entry(paragraph) for paragraph in paragraphs if paragraph)


def _paragraphs(text: str) -> list[str]:
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip()]


def _parameters(reference: Reference) -> Iterator[Entry]:
    for parameter in reference.parameters:
        default = "has to be given" if parameter.is_required else f"default {written(parameter.default)}"
        head = f"{parameter.name}: {parameter.expected}; {default}"
        yield Entry(head, (parameter.description,) if parameter.description else ())


def _contract(reference: Reference) -> Iterator[Entry]:
    for method in reference.contract:
        arguments = (f"{name}: {words}" for name, words in method.arguments.items())
        yield Entry(method.call, (method.returns, *arguments))
