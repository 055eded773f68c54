"""Strict YAML: data only, one reading of every scalar, and a place for every fault.

PyYAML gives the events; keys, scalars and limits are judged here, since its own rules turn ``no`` into a boolean,
``1e-9`` into text and ``12:30`` into 750, and let the last of two equal keys win.
"""

import functools
import math
import os
import re
from pathlib import Path
from typing import Any, NoReturn

import yaml

from nbframework.errors import RecipeError
from nbframework.recipe.nodes import Entry, Faults, Node, Scalar, Step, shown

LARGEST_FILE = 1_000_000
MOST_VALUES = 10_000
DEEPEST_NESTING = 50
LONGEST_NUMBER = 100
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?((?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, Scalar] = {"": None, "~": None, "null": None, "true": True, "false": False}
_WORDS |= {".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf}
_DRIVE = re.compile(r'"\s*[A-Za-z]:\\')
_KINDS = {dict: "a mapping", list: "a list", str: "text", bool: "a boolean", type(None): "null"}
_PATH_HINT = "use single quotes or forward slashes"

# PyYAML's words, ours, and whether to point at the opening quote or bracket rather than at the problem.
_SYNTAX = (
    ("mapping values are not allowed", "unexpected ':'; quote text that holds ': ', or mend the indentation", False),
    ("could not find expected ':'", "a key without ':'; write 'key: value' with a blank after the colon", True),
    ("found unexpected", "this quote is never closed", True),
    ("expected ',' or ']'", "this '[' is never closed, or a ',' is missing inside it", True),
    ("expected ',' or '}'", "this '{' is never closed, or a ',' is missing inside it", True),
    ("expected <block end>", "unexpected text; mend the indentation, or quote the whole value", False),
    ("found '<stream end>'", "a bracket is never closed, or a value is missing before the end", False),
    ("expected the node content", "unexpected punctuation; quote text that starts with it", False),
    ("expected '<document start>'", "unexpected text after the end of the value", False),
    ("found undefined tag handle", "tags are not allowed; quote text that starts with '!'", False),
)


def load_file(path: str | os.PathLike[str]) -> Node:
    """Read a YAML file in UTF-8, with or without byte-order mark; its path is the source in messages."""
    source = os.fspath(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(LARGEST_FILE + 4)
    except (OSError, ValueError) as error:
        raise RecipeError(f"{source}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    try:
        # A character cut in two at the limit is no fault of its own: the file is too large anyway.
        return load(data.decode("utf-8", "ignore" if len(data) > LARGEST_FILE else "strict"), source)
    except UnicodeDecodeError as error:
        line, column = _place_after(data[: error.start].decode("utf-8-sig"))
        raise RecipeError(f"{source}:{line}:{column}: not UTF-8 text; save the file as UTF-8") from error


@functools.lru_cache(maxsize=32)
def load(text: str, source: str) -> Node:
    """Read the text of one YAML document that holds a mapping; ``source`` is its name in messages.

    A matrix reads its base recipe once for each cell; nodes never change, so the same text gives the same ones.
    """
    root = _Builder(text, source).document()
    if root is None or (root.value is None and not root.raw):
        raise RecipeError(f"{source}:1:1: the file is empty, a mapping is expected")
    if not isinstance(root.value, dict):
        hint = "; a blank must follow the ':' after a key" if isinstance(root.value, str) and ":" in root.value else ""
        found = _KINDS.get(type(root.value), "a number")
        raise RecipeError(f"{source}:{root.line}:{root.column}: mapping expected, found {found}{hint}")
    return root


def parse_value(text: str, source: str) -> Node:
    """Read the value of an override: a flow mapping or list, quoted text, or a plain scalar.

    Other than in a file, a plain scalar may hold ``: `` and `` #``, since nothing can follow it.
    """
    builder = _Builder(text.strip(" \t\r\n"), source)
    if builder.text.startswith(tuple("{['\"!&*")) and (node := builder.document()):
        return node
    try:
        return Node(_resolved(builder.text), 1, 1, builder.text)
    except ValueError as error:
        raise RecipeError(f"{source}:1:1: {error}") from None


def parse_scalar(text: str) -> Scalar:
    """Read one scalar, plain or quoted, as ``parse_value`` does, and return its value."""
    value = parse_value(text, "value").value
    if isinstance(value, list | dict):
        raise RecipeError(f"value:1:1: number or text expected, found {_KINDS[type(value)]}")
    return value


class _Builder:
    """Makes nodes of events; goes on after faults in the content, stops at those of the syntax and at the limits."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source, self.faults = text.removeprefix("\ufeff"), source, Faults()
        self.anchors: dict[str, Node | None] = {}  # None while the node is being read
        self.path: list[Step] = []
        self.count = 0
        if len(self.text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
            raise RecipeError(f"{source}: larger than 1 MB")
        if wrong := yaml.SafeLoader.NON_PRINTABLE.search(self.text):
            self.stop(_place_after(self.text[: wrong.start()]), f"character U+{ord(wrong[0]):04X} is not allowed")
        self.events: Any = yaml.SafeLoader(self.text)

    def fault(self, place: tuple[int, int], message: str) -> None:
        self.faults.add(self.source, *place, self.path, message)

    def stop(self, place: tuple[int, int], message: str) -> NoReturn:
        self.fault(place, message)
        self.faults.raise_if_any()
        raise AssertionError

    def next(self) -> Any:
        try:
            return self.events.get_event()
        except yaml.MarkedYAMLError as error:
            index, message = _explained(error, self.text)
        except (ValueError, OverflowError):  # a character or a version beyond all bounds
            index, message = _explained_escape(self.text, self.events.index)
        self.path = []  # the scanner reads ahead, so the path may lag behind
        return self.stop(_place_after(self.text[:index]), message)

    def document(self) -> Node | None:
        self.next()
        if isinstance(self.next(), yaml.StreamEndEvent):
            return None
        root = self.node(self.next(), 1)
        self.next()
        if not isinstance(event := self.next(), yaml.StreamEndEvent):
            place = _place(event)
            self.stop(place, f"one document expected, found a second one at line {place[0]}")
        self.faults.raise_if_any()
        return root

    def grow(self, count: int, depth: int, place: tuple[int, int]) -> None:
        self.count += count
        if self.count > MOST_VALUES or depth > DEEPEST_NESTING:
            self.path = []  # of no help here, and as long as the nesting
        if self.count > MOST_VALUES:
            self.stop(place, f"more than {MOST_VALUES:,} values, those repeated by aliases included")
        if depth > DEEPEST_NESTING:
            self.stop(place, f"nested deeper than {DEEPEST_NESTING} levels")

    def node(self, event: Any, depth: int) -> Node:
        place, anchor = _place(event), event.anchor
        if isinstance(event, yaml.AliasEvent):
            if not (target := self.anchors.get(anchor)):
                known = "stands inside its own anchor" if anchor in self.anchors else "has no anchor before it"
                self.stop(place, f"alias {shown('*' + anchor)} {known}")
            count, height = _extent(target)
            self.grow(count, depth + height - 1, place)
            return target
        self.grow(1, depth if isinstance(event, yaml.CollectionStartEvent) else 0, place)
        if event.tag is not None:
            name = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.fault(place, f"tags are not allowed, found {shown(name)}; quote text that starts with '!'")
        if anchor in self.anchors:
            self.fault(place, f"anchor {shown('&' + anchor)} is set twice")
        if anchor:
            self.anchors[anchor] = None
        node = self.content(event, depth, place)
        if anchor:
            self.anchors[anchor] = node
        return node

    def content(self, event: Any, depth: int, place: tuple[int, int]) -> Node:
        if isinstance(event, yaml.MappingStartEvent):
            return Node(self.entries(event.flow_style, depth + 1), *place)
        if isinstance(event, yaml.SequenceStartEvent):
            return Node(self.items(depth + 1), *place)
        self.check_text(event, place)
        if event.style is not None:
            return Node(event.value, *place, event.value, True)
        try:
            return Node(_resolved(event.value), *place, event.value)
        except ValueError as error:
            self.fault(place, str(error))
            return Node(None, *place, event.value)

    def items(self, depth: int) -> list[Node]:
        found: list[Node] = []
        while not isinstance(event := self.next(), yaml.SequenceEndEvent):
            self.path.append(len(found))
            found.append(self.node(event, depth))
            self.path.pop()
        return found

    def entries(self, flow: bool | None, depth: int) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            place = _place(event)
            key = self.key(event, place)
            self.path.append(key)
            if key == "<<" and event.style is None:
                self.fault(place, "merge keys are not allowed; use 'extends' to build on another recipe")
            elif key in found:
                first, second = found[key].key_line, place[0]
                lines = f"line {second}" if first == second else f"lines {first} and {second}"
                self.fault(place, f"key {shown(key)} is given twice, in {lines}")
            node = self.node(self.next(), depth)
            if flow and event.style is None and node.raw == "" and not node.quoted and ":" in key:
                self.fault(place, "a blank must follow the ':' after a key; quote a key that holds ':'")
            found.setdefault(key, Entry(*place, node))
            self.path.pop()
        return found

    def key(self, event: Any, place: tuple[int, int]) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            self.stop(place, "a key must be plain or quoted text, not a list, a mapping or an alias")
        if event.tag is not None or event.anchor is not None:
            self.fault(place, "a key takes no tag and no anchor")
        if event.style is None and not event.value:
            self.fault(place, "a key is missing before ':'")
        self.check_text(event, place)
        return event.value

    def check_text(self, event: Any, place: tuple[int, int]) -> None:
        if wrong := yaml.SafeLoader.NON_PRINTABLE.search(event.value):
            self.fault(place, f"character U+{ord(wrong[0]):04X} is not allowed")
        written = self.text[event.start_mark.index : event.end_mark.index]
        if event.style == '"' and _DRIVE.match(written, written.index('"')):
            escapes = (found for found in re.finditer(r"\\(.)", written, re.DOTALL) if found[1] not in '\\"/')
            if escape := next(escapes, None):
                line, column = _place_after(written[: escape.start()])
                column += place[1] - 1 if line == 1 else 0
                self.fault((place[0] + line - 1, column), _explained_escape(written, escape.end())[1])


def _explained(error: yaml.MarkedYAMLError, text: str) -> tuple[int, str]:
    mark = error.problem_mark or error.context_mark
    index, problem = mark.index if mark else len(text), error.problem or "not YAML"
    if "cannot start any token" in problem:
        if text[index] != "\t":
            return index, f"text cannot start with {text[index]!r}; quote it"
        indents = not text[:index].rpartition("\n")[2].strip()
        return index, f"tab used {'as indentation' if indents else 'between words'}; use blanks"
    if error.context == "while scanning a double-quoted scalar":
        return _explained_escape(text, index)
    for words, message, at_opening in _SYNTAX:
        if words in problem:
            return error.context_mark.index if at_opening and error.context_mark else index, message
    return index, problem


def _explained_escape(text: str, index: int) -> tuple[int, str]:
    start = text.rfind("\\", 0, index)
    if start < 0:
        return index, "number out of range"
    written = text[start : start + 2].strip()
    return start, f"'{written}' in double quotes is an escape, and a wrong one here; {_PATH_HINT}"


def _resolved(text: str) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    if text.lower() == ".nan":
        raise ValueError(f"{text} is not allowed; leave the key out, or quote it if it is text")
    number = _FLOAT.fullmatch(text)
    if not number:
        return text
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"number of more than {LONGEST_NUMBER} characters; quote it if it is text")
    if _INTEGER.fullmatch(text):
        return int(text)
    value = float(text)
    if math.isinf(value) or (value == 0 and re.search("[1-9]", number[1])):
        raise ValueError(f"{text} is beyond the range of numbers; quote it if it is text")
    return value


def _extent(node: Node) -> tuple[int, int]:
    """Count the values of a node and its levels of nesting."""
    parts: list[Node] = []
    if isinstance(node.value, dict):
        parts = [entry.node for entry in node.value.values()]
    elif isinstance(node.value, list):
        parts = node.value
    else:
        return 1, 0
    extents = [_extent(part) for part in parts]
    return 1 + sum(count for count, _ in extents), 1 + max((height for _, height in extents), default=0)


def _place(event: yaml.Event) -> tuple[int, int]:
    mark: Any = event.start_mark
    return mark.line + 1, mark.column + 1


def _place_after(before: str) -> tuple[int, int]:
    lines = re.split("\r\n|[\n\r\x85\u2028\u2029]", before)
    return len(lines), len(lines[-1]) + 1
