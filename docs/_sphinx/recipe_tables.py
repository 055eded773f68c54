"""The directives ``part-table`` and ``recipe-table``: part by paper by recipe, and the other way round."""

from collections.abc import Iterable, Sequence
from typing import Any

from docutils import nodes
from part_pages import label, plugins, recipes, registrations
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxDirective

from nbframework.parts import COMPOSED, KINDS, Part
from nbframework.recipe.catalog import recipe_paths
from nbframework.recipe.recipe import Recipe

MOST_RECIPES = 8
"""A part in more recipes than this is in so many of them by default that their number says more than their names."""

Cell = Sequence[nodes.Node]


class PartTable(SphinxDirective):
    """Every part with its source and the shipped recipes that it is in."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        rows = [
            [text(kind), [link(r.part, self.env.docname)], text(r.part.cite), text(_names(recipes().get(r.part, [])))]
            for kind in KINDS
            for r in registrations(kind)
        ]
        return [table(["kind", "part", "from", "recipes"], [2, 3, 6, 6], rows)]


class RecipeTable(SphinxDirective):
    """Every shipped recipe with what it is, its source and the parts that are not the defaults."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        defaults = Recipe()
        rows = []
        for name in recipe_paths(plugins()):
            recipe = Recipe.load_with(plugins(), name)
            parts = [type(part) for key in (*COMPOSED, "classifier") if (part := _chosen(recipe, defaults, key))]
            linked = [[link(part, self.env.docname)] for part in parts]
            about = "; ".join(words for words in (recipe.title, recipe.cite) if words)
            rows.append([[nodes.literal(name, name)], text(about), _joined(linked)])
        return [table(["recipe", "what and from where", "parts that are not the defaults"], [3, 7, 5], rows)]


def _chosen(recipe: Recipe, defaults: Recipe, key: str) -> Part | None:
    part: Part | None = getattr(recipe, key)
    return None if part is None or part == getattr(defaults, key) else part


def _names(names: Sequence[str]) -> str:
    if len(names) > MOST_RECIPES:
        return f"{len(names)} recipes"
    return ", ".join(names) or "-"


def _joined(cells: Sequence[Cell]) -> Cell:
    found: list[nodes.Node] = []
    for cell in cells:
        found += [nodes.Text(", "), *cell] if found else cell
    return found or text("-")


def text(words: str) -> Cell:
    """Return a cell of words."""
    return [nodes.Text(words)]


def link(part: type[Part], page: str) -> nodes.Node:
    """Return a part's name as a link to its section."""
    reference = pending_xref(
        "", refdomain="std", reftype="ref", reftarget=label(part), refexplicit=True, refwarn=True, refdoc=page
    )
    reference += nodes.inline("", "", nodes.literal(part.name, part.name), classes=["std", "std-ref"])
    return reference


def table(heads: Sequence[str], widths: Sequence[int], rows: Iterable[Sequence[Cell]]) -> nodes.table:
    """Return a table of cells."""
    group = nodes.tgroup(cols=len(heads))
    group += [nodes.colspec(colwidth=width) for width in widths]
    group += nodes.thead("", _row([text(head) for head in heads]))
    group += nodes.tbody("", *(_row(row) for row in rows))
    return nodes.table("", group, classes=["reference"])


def _row(cells: Sequence[Cell]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


def setup(app: Any) -> dict[str, Any]:
    """Register the directives."""
    app.add_directive("part-table", PartTable)
    app.add_directive("recipe-table", RecipeTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
