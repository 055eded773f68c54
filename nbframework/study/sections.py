"""Strict reading of mappings: each key has a type, unknown keys are faults, and every fault has its place."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nbframework.errors import did_you_mean
from nbframework.recipe.nodes import Entry, Faults, Node, Step, dotted_path, shown


@dataclass(frozen=True)
class Section:
    """A mapping in a file.

    Parameters
    ----------
    node
        Holds the mapping; anything else has been noted as a fault and counts as empty.
    source
        The file, as the user gave it.
    path
        The steps from the top of the file.
    faults
        Collects what is wrong.
    """

    node: Node
    source: str
    path: tuple[Step, ...]
    faults: Faults

    @classmethod
    def of(cls, node: Node, source: str, path: tuple[Step, ...], faults: Faults, keys: Sequence[str]) -> "Section":
        """Return the section of a node, noting a node that is no mapping and keys that are none of ``keys``."""
        section = cls(node, source, path, faults)
        if not isinstance(node.value, dict):
            section.fault_at(node, (), f"found {_found(node)}, expected a mapping with {', '.join(keys)}")
        for key, entry in section.entries.items():
            if key not in keys:
                hint = did_you_mean(key, keys) or f" (keys: {', '.join(keys)})"
                faults.add(source, entry.key_line, entry.key_column, (*path, key), f"unknown key{hint}")
        return section

    @property
    def entries(self) -> dict[str, Entry]:
        """The keys that were given."""
        return self.node.value if isinstance(self.node.value, dict) else {}

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def fault(self, key: str, message: str) -> None:
        """Note what is wrong with the value of a key, or with the section where the key is absent."""
        node = self.entries[key].node if key in self.entries else self.node
        self.fault_at(node, (key,) if key in self.entries else (), message)

    def fault_at(self, node: Node, steps: tuple[Step, ...], message: str) -> None:
        """Note what is wrong at a node that lies ``steps`` below the section."""
        self.faults.add(self.source, node.line, node.column, dotted_path((*self.path, *steps)), message)

    def require(self, *keys: str) -> None:
        """Note each key that is absent."""
        for key in keys:
            if key not in self:
                self.fault_at(self.node, (), f"key {key!r} is required")

    def text(self, key: str, default: str = "") -> str:
        """Return text; a number is taken as it is written."""
        if key not in self:
            return default
        node = self.entries[key].node
        if node.raw is None or node.value is None:
            self.fault(key, f"found {_found(node)}, expected text")
            return default
        return node.raw

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """Return one of some texts."""
        text = self.text(key, default)
        if text not in choices:
            self.fault(key, f"found {shown(text)}, expected one of {', '.join(choices)}{did_you_mean(text, choices)}")
            return default
        return text

    def integer(self, key: str, default: int, least: int) -> int:
        """Return a whole number of at least ``least``."""
        if key not in self:
            return default
        value = self.entries[key].node.value
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        self.fault(key, f"found {_found(self.entries[key].node)}, expected a whole number of at least {least}")
        return default

    def number(self, key: str, default: float, above: float = 0.0, most: float = math.inf) -> float:
        """Return a number of more than ``above`` and at most ``most``."""
        if key not in self:
            return default
        return self.number_at(self.entries[key].node, (key,), default, above, most)

    def number_from(self, key: str, default: float, least: float) -> float:
        """Return a number of at least ``least``."""
        if key not in self:
            return default
        value = self.entries[key].node.value
        if isinstance(value, int | float) and not isinstance(value, bool) and least <= value < math.inf:
            return float(value)
        self.fault(key, f"found {_found(self.entries[key].node)}, expected a number of at least {least:g}")
        return default

    def number_at(self, node: Node, steps: tuple[Step, ...], default: float, above: float, most: float) -> float:
        """Return the number that a node holds."""
        value = node.value
        if isinstance(value, int | float) and not isinstance(value, bool) and above < value <= most:
            return float(value)
        limit = "" if math.isinf(most) else f" and at most {most:g}"
        self.fault_at(node, steps, f"found {_found(node)}, expected a number of more than {above:g}{limit}")
        return default

    def boolean(self, key: str, default: bool) -> bool:
        """Return true or false."""
        if key not in self:
            return default
        value = self.entries[key].node.value
        if not isinstance(value, bool):
            self.fault(key, f"found {_found(self.entries[key].node)}, expected true or false")
            return default
        return value

    def items(self, key: str) -> Iterator[tuple[int, Node]]:
        """Return the items of a list with their numbers; a single value is a list of one."""
        if key not in self:
            return iter(())
        node = self.entries[key].node
        return enumerate(node.value if isinstance(node.value, list) else [node])

    def texts(self, key: str, choices: Sequence[str] = ()) -> tuple[str, ...]:
        """Return a list of texts, each one of ``choices`` where there are any, and none twice."""
        found: list[str] = []
        for index, node in self.items(key):
            text = node.raw
            if text is None or node.value is None:
                self.fault_at(node, (key, index), f"found {_found(node)}, expected text")
            elif choices and text not in choices:
                hint = did_you_mean(text, choices) or f" (known: {', '.join(choices)})"
                self.fault_at(node, (key, index), f"found {shown(text)}, which is not known{hint}")
            elif text in found:
                self.fault_at(node, (key, index), f"{shown(text)} is given twice")
            else:
                found.append(text)
        return tuple(found)

    def section(self, key: str, keys: Sequence[str]) -> "Section":
        """Return the mapping under a key; an absent key or null is an empty one."""
        entry = self.entries.get(key)
        if entry is None or entry.node.value is None:
            return Section(Node({}, self.node.line, self.node.column), self.source, (*self.path, key), self.faults)
        return Section.of(entry.node, self.source, (*self.path, key), self.faults, keys)


def _found(node: Node) -> str:
    if isinstance(node.value, dict):
        return "a mapping"
    if isinstance(node.value, list):
        return "a list"
    return "nothing" if node.value is None and not node.raw else shown(node.raw or str(node.value))
