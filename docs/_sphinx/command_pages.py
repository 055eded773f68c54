"""The directive ``verbs``: what ``nbf VERB --help`` prints, for every verb."""

from collections.abc import Iterator
from typing import Any

import click
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from nbframework.cli.group import VERBS, group

WIDTH = 88


class Verbs(SphinxDirective):
    """One section for each verb."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        return [self._verb(verb) for verb in VERBS]

    def _verb(self, verb: str) -> nodes.section:
        section = nodes.section(ids=[f"nbf-{verb}"], names=[f"nbf-{verb}"])
        section += nodes.title(verb, f"nbf {verb}")
        self.state.document.note_explicit_target(section, section)
        parent = click.Context(group, info_name="nbf", max_content_width=WIDTH, terminal_width=WIDTH)
        found = group.get_command(parent, verb)
        section += [nodes.literal_block(words, words, language="text") for words in _helps(found, verb, parent)]
        return section


def _helps(found: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    context = click.Context(found, info_name=name, parent=parent, terminal_width=WIDTH)
    yield found.get_help(context)
    if isinstance(found, click.Group):
        for under in found.list_commands(context):
            below = found.get_command(context, under)
            yield from _helps(below, under, context)


def setup(app: Any) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("verbs", Verbs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
