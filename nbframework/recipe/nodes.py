"""The parsed tree of a YAML document, with the place of every part, and the faults found in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from nbframework.errors import PluginError, RecipeError

Scalar: TypeAlias = bool | int | float | str | None
Step: TypeAlias = str | int


@dataclass(frozen=True)
class Node:
    """A part of a document with its place, line and column counted from 1.

    ``raw`` is the text of a scalar before it was read as a value, so that ``1.10`` can serve as text (None for lists
    and mappings). ``quoted`` says that a scalar is text whatever it holds: it was quoted, or a block of text.
    """

    value: "Scalar | list[Node] | dict[str, Entry]"
    line: int
    column: int
    raw: str | None = None
    quoted: bool = False


@dataclass(frozen=True)
class Entry:
    """The value of a key, with the place of the key."""

    key_line: int
    key_column: int
    node: Node


class Faults:
    """Collects faults, to report all of them in one error."""

    def __init__(self) -> None:
        self._found: list[tuple[str, int, int, str]] = []
        self.has_plugin_fault = False

    def add(self, source: str, line: int | None, column: int | None, path: str | Sequence[Step], message: str) -> None:
        """Note a fault.

        Parameters
        ----------
        source
            File, option or other origin as the user gave it.
        line, column
            Place, both counted from 1; None where a place makes no sense.
        path
            Steps from the top, or the same as text; empty for the document as a whole.
        message
            What was found and what was expected.
        """
        place = ":".join(str(part) for part in (source, line, column) if part is not None)
        dotted = path if isinstance(path, str) else dotted_path(path)
        text = ": ".join(part for part in (place, dotted, " ".join(message.splitlines())) if part)
        self._found.append((source, line or 0, column or 0, text))

    def __len__(self) -> int:
        return len(self._found)

    def raise_if_any(self) -> None:
        """Raise one error with a line for each fault, in the order of their places; return if there is none.

        It is a RecipeError, or a PluginError where a plugin that is broken, blocked or in conflict is among the faults.
        """
        if self._found:
            kind = PluginError if self.has_plugin_fault else RecipeError
            raise kind("\n".join(fault[3] for fault in sorted(self._found, key=lambda fault: fault[:3])))


def dotted_path(path: Sequence[Step]) -> str:
    """Write a path as ``estimator.laplace.f`` or ``recipes[2].title``."""
    steps = [f"[{step}]" if isinstance(step, int) else "." + shown(step)[1:-1] for step in path]
    return "".join(steps).removeprefix(".")


def plain(node: Node) -> Any:
    """Return the bare Python objects of a node: dict, list, text, numbers, booleans and None."""
    if isinstance(node.value, dict):
        return {key: plain(entry.node) for key, entry in node.value.items()}
    return [plain(item) for item in node.value] if isinstance(node.value, list) else node.value


def find(node: Node, path: Sequence[Step]) -> tuple[int, int]:
    """Return line and column of the deepest part of a path that exists: of its key, or of the item in a list."""
    line, column = node.line, node.column
    for step in path:
        if isinstance(node.value, dict) and str(step) in node.value:
            entry = node.value[str(step)]
            node, line, column = entry.node, entry.key_line, entry.key_column
        elif isinstance(node.value, list) and isinstance(step, int) and 0 <= step < len(node.value):
            node = node.value[step]
            line, column = node.line, node.column
        else:
            break
    return line, column


def shown(text: str) -> str:
    """Return text in quotes, cut where it is long."""
    return repr(text if len(text) <= 60 else text[:60] + "...")
