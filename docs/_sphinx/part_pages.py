"""The directive ``parts``: the reference of all parts of a kind, made from what ``nbf parts NAME`` prints."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from nbframework.parts import KINDS, Part
from nbframework.plugins import Plugins, installed_sources
from nbframework.recipe.reference import recipes_by_part, reference_of
from nbframework.recipe.reference_page import Section, introduction, sections
from nbframework.registry import Registration

DISTRIBUTION = "nbframework"
KEPT = re.compile(r"(`[^`]+`|(?<![\w*])\*[a-z][a-z -]*\*(?![\w*]))")
SIGNS = re.compile(r"[\\*_\[\]<>#|~^$&{}`]")


@cache
def plugins() -> Plugins:
    """Return the plugins that come with nbframework, without those that happen to be installed beside it."""
    found = Plugins([source for source in installed_sources() if source.distribution == DISTRIBUTION])
    found.load_all()
    return found


@cache
def recipes() -> Mapping[type[Part], Sequence[str]]:
    """Return the names of the shipped recipes by part."""
    return recipes_by_part(plugins())


def registrations(kind: str) -> list[Registration]:
    """Return the parts of a kind by name."""
    return sorted((r for r in plugins().registry if r.part.kind == kind), key=lambda r: r.part.name)


def label(part: type[Part]) -> str:
    """Return the target that leads to a part's section."""
    return f"{part.kind}-{part.name}"


class PartsDirective(SphinxDirective):
    """One section for each part of the kind that the argument names."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Return the contract, which is common to all, and then the sections."""
        found = registrations(directives.choice(self.arguments[0], tuple(KINDS)))
        contract = [one for one in self._sections(found[0]) if one.is_contract]
        return [node for one in contract for node in self._titled(one)] + [self._part(one) for one in found]

    def _part(self, registration: Registration) -> nodes.section:
        reference, part = reference_of(registration), registration.part
        name = label(part)
        section = nodes.section(ids=[name], names=[name])
        section += nodes.title(part.name, part.name)
        self.state.document.note_explicit_target(section, section)
        for paragraph in introduction(reference):
            section += self.markdown(paragraph)
        for one in self._sections(registration):
            if not one.is_contract:
                section += self._titled(one)
        return section

    def _sections(self, registration: Registration) -> tuple[Section, ...]:
        return sections(reference_of(registration), plugins(), recipes().get(registration.part, []))

    def _titled(self, section: Section) -> list[nodes.Node]:
        return [nodes.rubric(section.title, section.title), *self._body(section)]

    def _body(self, section: Section) -> Iterator[nodes.Node]:
        if section.is_code:
            text = "\n".join(entry.head for entry in section.entries)
            yield nodes.literal_block(text, text, language="yaml")
        elif any(entry.lines for entry in section.entries) or section.title == "Parameters":
            yield self._definitions(section)
        else:
            for entry in section.entries:
                yield from self.markdown(entry.head)

    def _definitions(self, section: Section) -> nodes.definition_list:
        found = nodes.definition_list()
        for entry in section.entries:
            term, _, rest = entry.head.partition(": ")
            head = nodes.term("", "", nodes.literal(term, term))
            if rest:
                head += nodes.Text(f": {rest}")
            words = [node for line in entry.lines for node in self.markdown(line)]
            found += nodes.definition_list_item("", head, nodes.definition("", *words))
        return found

    def markdown(self, text: str) -> list[nodes.Node]:
        """Return a docstring's line as nodes; what stands in backticks is code."""
        container = nodes.Element()
        self.state.nested_parse(
            StringList([_plain(text)], source=str(self.env.docname)), self.content_offset, container
        )
        return container.children


def _plain(text: str) -> str:
    """Return a text in which Markdown finds nothing but code and *words*: formulas are full of its other signs."""
    pieces = KEPT.split(text.replace("``", "`"))
    return "".join(piece if KEPT.fullmatch(piece) else SIGNS.sub(r"\\\g<0>", piece) for piece in pieces)


def setup(app: Any) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("parts", PartsDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
