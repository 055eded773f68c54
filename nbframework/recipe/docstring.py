"""A docstring in numpy's style, taken apart."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass

SECTION = re.compile(r"^(?P<title>[A-Z][A-Za-z ]*)\n-{3,}$", re.MULTILINE)
ENTRY = re.compile(r"^\S", re.MULTILINE)
FORMULA = re.compile(r" (?:[/=~]|>=|<=) |\^")


@dataclass(frozen=True)
class Docstring:
    """What a docstring says.

    Parameters
    ----------
    summary
        Its first paragraph, in one line.
    description
        The paragraphs after it, each in one line.
    parameters
        The description of each parameter, in one line.
    sections
        The text of the other sections (Notes, References, Raises, Returns ...) by title.
    """

    summary: str
    description: tuple[str, ...]
    parameters: Mapping[str, str]
    sections: Mapping[str, str]

    @property
    def equation(self) -> str:
        """The formula in the summary: what follows its last colon, where that is one; else nothing."""
        _, colon, formula = self.summary.rstrip(".").rpartition(": ")
        return formula if colon and FORMULA.search(formula) else ""


def read_docstring(documented: object) -> Docstring:
    """Return the parts of an object's docstring; all empty where it has none of its own."""
    text = inspect.cleandoc(getattr(documented, "__doc__", None) or "")
    heads = list(SECTION.finditer(text))
    sections = {}
    for head, after in zip(heads, [*heads[1:], None], strict=False):
        sections[head["title"]] = text[head.end() : after.start() if after else None].strip("\n")
    paragraphs = [_one_line(part) for part in text[: heads[0].start() if heads else None].split("\n\n") if part.strip()]
    entries = _entries(sections.pop("Parameters", ""))
    return Docstring(paragraphs[0] if paragraphs else "", tuple(paragraphs[1:]), entries, sections)


def _entries(text: str) -> dict[str, str]:
    """Return the descriptions by name; ``a, b`` on one line share theirs."""
    starts = [match.start() for match in ENTRY.finditer(text)]
    found = {}
    for start, end in zip(starts, [*starts[1:], None], strict=False):
        names, _, words = text[start:end].partition("\n")
        for name in names.split(","):
            found[name.partition(":")[0].strip().lstrip("*")] = _one_line(words)
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())
