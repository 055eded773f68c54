"""The strict YAML loader: every case of the shared list, every rule, every message."""

import math
import os
import re
import string
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.errors import RecipeError, did_you_mean
from nbframework.recipe.nodes import Entry, Faults, Node, dotted_path, find, plain
from nbframework.recipe.strict_yaml import (
    DEEPEST_NESTING,
    LARGEST_FILE,
    MOST_VALUES,
    load,
    load_file,
    parse_scalar,
    parse_value,
)

SHARED = Path(os.environ.get("NBFRAMEWORK_SHARED") or Path(__file__).parents[2].parent / "shared")
ESCAPE = "in double quotes is an escape, and a wrong one here; use single quotes or forward slashes"
MERGE = "merge keys are not allowed; use 'extends' to build on another recipe"
EMPTY = "1:1: the file is empty, a mapping is expected"
TOO_MANY = "more than 10,000 values, those repeated by aliases included"

# Name of the file in the shared cases, its bytes, and what it must give: bare objects, or a message without source.
CASES: list[tuple[str, bytes, Any]] = [
    (
        "YAML-01",
        b"name: demo\npositive_class: no\nclass_values: [yes, no]\nmissing: off\n",
        {"name": "demo", "positive_class": "no", "class_values": ["yes", "no"], "missing": "off"},
    ),
    (
        "YAML-02",
        b"name: demo\nestimator:\n  kind: laplace\n  alpha: 1.0\nestimator:\n  kind: m_estimate\n  m: 2\n",
        "5:1: estimator: key 'estimator' is given twice, in lines 2 and 5",
    ),
    (
        "YAML-04",
        b"name: demo\nestimator:\n\tkind: laplace\n\talpha: 1.0\n",
        "3:1: tab used as indentation; use blanks",
    ),
    (
        "YAML-06",
        b"name: demo\nestimator:\n  kind: laplace\n  alhpa: 0.5\ndiscretiser: {kind: mdl}\n",
        {"name": "demo", "estimator": {"kind": "laplace", "alhpa": 0.5}, "discretiser": {"kind": "mdl"}},
    ),
    ("YAML-08", b'name: demo\ndata: "C:\\Users\\tester\\new\\table.arff"\n', rf"2:10: '\U' {ESCAPE}"),
    (
        "YAML-10",
        b"name: demo\ndiscretizer:\nmissing: ~\nweights: none\nestimator: null\n",
        {"name": "demo", "discretizer": None, "missing": None, "weights": "none", "estimator": None},
    ),
    (
        "YAML-12",
        b"\xef\xbb\xbfname: demo\r\nestimator:\r\n  kind: laplace\r\n",
        {"name": "demo", "estimator": {"kind": "laplace"}},
    ),
    (
        "YAML-14",
        b"name: demo\napi_version: 1.10\nrelease: 2024-06-01\n",
        {"name": "demo", "api_version": 1.1, "release": "2024-06-01"},
    ),
    (
        "YAML-16",
        b"defaults: &d {alpha: 1.0, k: 5}\nname: demo\nestimator:\n  <<: *d\n  alpha: 0.5\n  <<: {k: 9}\n",
        f"4:3: estimator.<<: {MERGE}\n6:3: estimator.<<: {MERGE}",
    ),
    ("YAML-17", b"name: one\n---\nname: two\n", "2:1: one document expected, found a second one at line 2"),
    ("YAML-17_YAML-18", b"", EMPTY),
    ("YAML-17_YAML-19", b"- just\n- a list\n", "1:1: mapping expected, found a list"),
    (
        "YAML-20",
        b'name: demo\nattribute weights: {age: 1, age : 2, 1: 3, "1": 4}\n',
        "2:29: attribute weights.age: key 'age' is given twice, in line 2\n"
        "2:44: attribute weights.1: key '1' is given twice, in line 2",
    ),
]


def message(text: str) -> str:
    """Return the error of a text, without the source that starts each line."""
    with pytest.raises(RecipeError) as caught:
        load(text, "demo.yaml")
    lines = str(caught.value).split("\n")
    assert all(line.startswith("demo.yaml:") for line in lines)
    return "\n".join(line.removeprefix("demo.yaml:") for line in lines)


def value_of(text: str) -> Any:
    return plain(load(f"key: {text}\n", "demo.yaml"))["key"]


def check_file(path: Path, expected: Any) -> None:
    if not isinstance(expected, str):
        assert plain(load_file(path)) == expected
        return
    with pytest.raises(RecipeError) as caught:
        load_file(path)
    assert str(caught.value) == "\n".join(f"{path}:{line}" for line in expected.split("\n"))


class TestCases:
    @pytest.mark.parametrize(("name", "data", "expected"), CASES, ids=[case[0] for case in CASES])
    def test_inline(self, name: str, data: bytes, expected: Any, tmp_path: Path) -> None:
        path = tmp_path / f"{name}.yaml"
        path.write_bytes(data)
        check_file(path, expected)

    @pytest.mark.parametrize(("name", "data", "expected"), CASES, ids=[case[0] for case in CASES])
    def test_shared(self, name: str, data: bytes, expected: Any) -> None:
        path = SHARED / "cases" / f"{name}.yaml"
        if not path.exists():
            pytest.skip("the shared cases are absent; NBFRAMEWORK_SHARED names their folder")
        assert path.read_bytes() == data
        check_file(path, expected)

    def test_misspelt_keys_can_be_reported_with_their_places(self) -> None:
        root = load(CASES[3][1].decode(), "demo.yaml")
        faults = Faults()
        for path, known in ((("discretiser",), "discretizer"), (("estimator", "alhpa"), "alpha")):
            faults.add("demo.yaml", *find(root, path), path, "unknown key" + did_you_mean(path[-1], [known]))
        with pytest.raises(RecipeError) as caught:
            faults.raise_if_any()
        assert str(caught.value) == (
            "demo.yaml:4:3: estimator.alhpa: unknown key; did you mean 'alpha'?\n"
            "demo.yaml:5:1: discretiser: unknown key; did you mean 'discretizer'?"
        )

    def test_version_is_recoverable_as_text(self) -> None:
        root = load("api_version: 1.10\nother: 1.1\n", "demo.yaml")
        assert isinstance(root.value, dict)
        first, second = (root.value[key].node for key in ("api_version", "other"))
        assert first.value == second.value == 1.1
        assert (first.raw, second.raw) == ("1.10", "1.1")


class TestScalars:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            *[(text, None) for text in ("", "~", "null")],
            *[("true", True), ("false", False)],
            *[("0", 0), ("-0", 0), ("+5", 5), ("-17", -17), ("1000", 1000), ("9" * 100, int("9" * 100))],
            *[("1e-9", 1e-9), ("1E3", 1000.0), (".5", 0.5), ("1.", 1.0), ("-2.5e+3", -2500.0), ("1.10", 1.1)],
            *[("0.0", 0.0), ("0e5", 0.0), ("1e05", 1e5), (".inf", math.inf), ("-.inf", -math.inf), ("+.inf", math.inf)],
        ],
    )
    def test_value(self, text: str, expected: Any) -> None:
        for found in (value_of(text), parse_scalar(text)):
            assert found == expected
            assert type(found) is type(expected)

    @pytest.mark.parametrize(
        "text",
        [
            *("yes", "no", "on", "off", "y", "n", "Yes", "NO", "True", "FALSE", "Null", "NULL", "none"),
            *("nan", "inf", "Infinity", ".Inf", "010", "-01", "007.5", "01e5", "0x1F", "0o17", "0b1", "1_000"),
            *("12:30", "190:20:30", "2024-06-01", "2024-06-01T10:00:00Z", "1,5", "1e", "1e5.5", ".", ".e3"),
            *("+", "-", "+-", "=", "<<", "1.2.3", "50%", "\u0661\u0662", "naïve"),
        ],
    )
    def test_text(self, text: str) -> None:
        assert parse_scalar(text) == text
        if text != "-":
            assert value_of(text) == text

    @pytest.mark.parametrize("text", ["30", "1.10", "null", "~", "", "true", ".nan", "1e999", "<<", "!x", "a: b", "#"])
    def test_quoted_is_text(self, text: str) -> None:
        for quoted in (f"'{text}'", f'"{text}"'):
            assert value_of(quoted) == parse_scalar(quoted) == text
            node = parse_value(quoted, "x")
            assert (node.raw, node.quoted) == (text, True)

    def test_blocks_of_text(self) -> None:
        assert plain(load("a: |\n  12\nb: >-\n  x\n  y\n", "f")) == {"a": "12\n", "b": "x y"}

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (".nan", ".nan is not allowed; leave the key out, or quote it if it is text"),
            (".NaN", ".NaN is not allowed; leave the key out, or quote it if it is text"),
            ("1e999", "1e999 is beyond the range of numbers; quote it if it is text"),
            ("-1e-999", "-1e-999 is beyond the range of numbers; quote it if it is text"),
            ("1" * 101, "number of more than 100 characters; quote it if it is text"),
        ],
    )
    def test_refused(self, text: str, expected: str) -> None:
        assert message(f"key: {text}") == f"1:6: key: {expected}"
        with pytest.raises(RecipeError, match=f"^value:1:1: {re.escape(expected)}$"):
            parse_scalar(text)


class TestKeys:
    def test_keys_are_text(self) -> None:
        text = "1: a\ntrue: b\nnull: c\n.nan: d\n1e999: e\n2024-06-01: f\n'': g\n'<<': h\n"
        assert list(plain(load(text, "f"))) == ["1", "true", "null", ".nan", "1e999", "2024-06-01", "", "<<"]

    def test_every_repetition_is_reported(self) -> None:
        assert message("a: 1\nb: 2\na : 3\n'a': 4\nb: 5") == (
            "3:1: a: key 'a' is given twice, in lines 1 and 3\n"
            "4:1: a: key 'a' is given twice, in lines 1 and 4\n"
            "5:1: b: key 'b' is given twice, in lines 2 and 5"
        )

    def test_quoted_blank_makes_another_key(self) -> None:
        assert plain(load("'age ': 1\nage: 2\n", "f")) == {"age ": 1, "age": 2}

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("? [a]\n: 1", "1:3: a key must be plain or quoted text, not a list, a mapping or an alias"),
            ("{a: 1}: 2", "1:1: a key must be plain or quoted text, not a list, a mapping or an alias"),
            ("a: &x 1\n*x : 2", "2:1: a key must be plain or quoted text, not a list, a mapping or an alias"),
            ("&x a: 1", "1:1: a key takes no tag and no anchor"),
            ("!!str a: 1", "1:1: a key takes no tag and no anchor"),
            ("a: {? : 1}", "1:6: a: a key is missing before ':'"),
            ("a: {k:30}", "1:5: a.k:30: a blank must follow the ':' after a key; quote a key that holds ':'"),
            ('"C:\\temp": 1', rf"1:4: '\t' {ESCAPE}"),
        ],
    )
    def test_refused(self, text: str, expected: str) -> None:
        assert message(text) == expected

    def test_quoted_key_may_hold_a_colon(self) -> None:
        assert plain(load("a: {'k:30', b}\nc:d: 1\n", "f")) == {"a": {"k:30": None, "b": None}, "c:d": 1}


class TestDocument:
    @pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "\ufeff", "&x", "--- # none"])
    def test_empty(self, text: str) -> None:
        assert message(text) == EMPTY

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("[a]", "1:1: mapping expected, found a list"),
            ("\n word", "2:2: mapping expected, found text"),
            ("k:30", "1:1: mapping expected, found text; a blank must follow the ':' after a key"),
            ("3", "1:1: mapping expected, found a number"),
            ("1.5", "1:1: mapping expected, found a number"),
            ("true", "1:1: mapping expected, found a boolean"),
            ("~", "1:1: mapping expected, found null"),
        ],
    )
    def test_not_a_mapping(self, text: str, expected: str) -> None:
        assert message(text) == expected

    @pytest.mark.parametrize("text", ["---\na: 1\n", "a: 1\n...\n", "%YAML 1.2\n---\na: 1", "{a: 1}", "\ufeffa: 1\r\n"])
    def test_one_document(self, text: str) -> None:
        assert plain(load(text, "f")) == {"a": 1}

    @pytest.mark.parametrize(("text", "line"), [("a: 1\n---\n", 2), ("a: 1\n...\n---\nb: 2", 3), ("---\n---\na: 1", 2)])
    def test_second_document(self, text: str, line: int) -> None:
        assert message(text) == f"{line}:1: one document expected, found a second one at line {line}"

    def test_nested_flow_and_block(self) -> None:
        text = "a:\n  b: {c: [1, {d: x}], e: no}\n  f:\n  - g: 1\n    h: 2\n  - [i]\n"
        expected = {"a": {"b": {"c": [1, {"d": "x"}], "e": "no"}, "f": [{"g": 1, "h": 2}, ["i"]]}}
        assert plain(load(text, "f")) == expected

    def test_all_faults_at_once(self) -> None:
        assert message("a: !x 1\nb: [.nan]\nb: 2\n<<: {}\n") == (
            "1:4: a: tags are not allowed, found '!x'; quote text that starts with '!'\n"
            "2:5: b[0]: .nan is not allowed; leave the key out, or quote it if it is text\n"
            "3:1: b: key 'b' is given twice, in lines 2 and 3\n"
            f"4:1: <<: {MERGE}"
        )


class TestSyntax:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("\ta: 1", "1:1: tab used as indentation; use blanks"),
            ("a:\n  b: 1\n  \tc: 2", "3:3: tab used as indentation; use blanks"),
            ("a: {b: 1,\n\tc: @}", "2:1: tab used as indentation; use blanks"),
            ("a: |\n\ttext", "2:1: tab used as indentation; use blanks"),
            ("a:\tb", "1:3: tab used between words; use blanks"),
            ("a: b: c", "1:5: unexpected ':'; quote text that holds ': ', or mend the indentation"),
            ("a: 1\n  b: 2", "2:4: unexpected ':'; quote text that holds ': ', or mend the indentation"),
            ("a: 1\nk:30\n", "2:1: a key without ':'; write 'key: value' with a blank after the colon"),
            ("a: 'x\nb: 1", "1:4: this quote is never closed"),
            ("a: 'x\n---\ny", "1:4: this quote is never closed"),
            ("a: [1, 2\n", "1:4: this '[' is never closed, or a ',' is missing inside it"),
            ("a: {b: 1\nc: 2", "1:4: this '{' is never closed, or a ',' is missing inside it"),
            ("a: 'it's'", "1:8: unexpected text; mend the indentation, or quote the whole value"),
            ("a:\n  b: 1\n c: 2", "3:2: unexpected text; mend the indentation, or quote the whole value"),
            ("a: [1,", "1:7: a bracket is never closed, or a value is missing before the end"),
            ("a: ]", "1:4: unexpected punctuation; quote text that starts with it"),
            ("[a] b", "1:5: unexpected text after the end of the value"),
            ("a: @x", "1:4: text cannot start with '@'; quote it"),
            ("a: `x`", "1:4: text cannot start with '`'; quote it"),
            ("a: >-1x", "1:7: expected chomping or indentation indicators, but found 'x'"),
            ("%YAML 2.0\n---\na: 1", "1:1: found incompatible YAML document (version 1.* is required)"),
            (f"%YAML {'9' * 5000}.1\n---\na: 1", "1:7: number out of range"),
            ("a: 1\nb: x\x00", "2:5: character U+0000 is not allowed"),
            ("a: \ud800", "1:4: character U+D800 is not allowed"),
        ],
    )
    def test_message(self, text: str, expected: str) -> None:
        assert message(text) == expected

    @pytest.mark.parametrize(
        ("text", "name"), [("!!int 3", "!!int"), ("! 3", "!"), ("!x {}", "!x"), ("!!python/name:os.system", None)]
    )
    def test_tags(self, text: str, name: str | None) -> None:
        shown = name or text
        assert (
            message(f"a: {text}") == f"1:4: a: tags are not allowed, found '{shown}'; quote text that starts with '!'"
        )

    def test_undefined_tag_handle(self) -> None:
        assert message("a: !e!x 3") == "1:4: tags are not allowed; quote text that starts with '!'"


class TestWindowsPaths:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (r'"C:\table.arff"', rf"1:9: key: '\t' {ESCAPE}"),
            (r'"C:\new"', rf"1:9: key: '\n' {ESCAPE}"),
            (r'" d:\\data\new"', rf"1:16: key: '\n' {ESCAPE}"),
            ('"C:\\\\data\n  \\table"', rf"2:3: key: '\t' {ESCAPE}"),
            (r'"C:\data"', rf"1:9: '\d' {ESCAPE}"),
            (r'"C:\x1"', rf"1:9: '\x' {ESCAPE}"),
            (r'"C:\Udeadbeef"', rf"1:9: '\U' {ESCAPE}"),
        ],
    )
    def test_refused(self, text: str, expected: str) -> None:
        assert message(f"key: {text}") == expected

    @pytest.mark.parametrize("text", [r"'C:\new\table'", r"C:\new\table", r'"C:\\new\\table"', '"C:/new/table"'])
    def test_accepted(self, text: str) -> None:
        assert value_of(text).replace("/", "\\") == r"C:\new\table"

    def test_escapes_elsewhere(self) -> None:
        assert value_of(r'"a\tb\n\u00e9\"\\"') == 'a\tb\né"\\'

    @pytest.mark.parametrize("escape", [r"\0", r"\ud800"])
    def test_escaped_character_must_be_text(self, escape: str) -> None:
        code = 0xD800 if "d" in escape else 0
        assert message(f'key: "{escape}"') == f"1:6: key: character U+{code:04X} is not allowed"


class TestLimits:
    def test_anchors_and_aliases(self) -> None:
        assert plain(load("a: &x {k: [1]}\nb: *x\nc: [*x, &y 2, *y]", "f")) == {
            "a": {"k": [1]},
            "b": {"k": [1]},
            "c": [{"k": [1]}, 2, 2],
        }

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: *x", "1:4: a: alias '*x' has no anchor before it"),
            ("a: &x [*x]", "1:8: a[0]: alias '*x' stands inside its own anchor"),
            ("a: &x 1\nb: &x 2", "2:4: b: anchor '&x' is set twice"),
        ],
    )
    def test_anchor_faults(self, text: str, expected: str) -> None:
        assert message(text) == expected

    def test_number_of_values(self) -> None:
        items = "- x\n" * (MOST_VALUES - 2)
        assert len(plain(load(f"a:\n{items}", "f"))["a"]) == MOST_VALUES - 2
        assert message(f"a:\n{items}- x\n") == f"{MOST_VALUES}:3: {TOO_MANY}"

    def test_alias_bomb(self) -> None:
        names = string.ascii_lowercase
        text = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{name}: &{name} [{','.join(['*' + before] * 10)}]\n" for before, name in pairwise(names)
        )
        assert message(text) == f"4:29: {TOO_MANY}"

    def test_depth(self) -> None:
        depth = DEEPEST_NESTING - 1
        load("a: " + "[" * depth + "]" * depth, "f")
        assert message("a: " + "[" * 10_000) == "1:53: nested deeper than 50 levels"
        assert message("- " * 10_000) == "1:101: nested deeper than 50 levels"

    def test_depth_by_aliases(self) -> None:
        inner = "[" * 30 + "]" * 30
        load(f"a: &a {inner}\nb: {'[' * 19}*a{']' * 19}", "f")
        assert message(f"a: &a {inner}\nb: {'[' * 20}*a{']' * 20}") == "2:24: nested deeper than 50 levels"

    def test_size(self, tmp_path: Path) -> None:
        text = "a: 1\n#" + "é" * (LARGEST_FILE // 2 - 3)
        assert len(text.encode()) == LARGEST_FILE
        path = tmp_path / "large.yaml"
        path.write_text(text, encoding="utf-8")
        assert plain(load_file(path)) == {"a": 1}
        for more in (text + "x", text + "é" * 10):
            path.write_text(more, encoding="utf-8")
            with pytest.raises(RecipeError, match=r"^f: larger than 1 MB$"):
                load(more, "f")
            with pytest.raises(RecipeError) as caught:
                load_file(path)
            assert str(caught.value) == f"{path}: larger than 1 MB"

    @pytest.mark.parametrize(
        "text",
        ["#\n" * 500_000, "a: " + "x " * 499_990, 'a: "' + "\\n" * 499_990, "%A\n" * 333_333, "a: " + "1" * 999_990],
        ids=["comments", "words", "escapes", "directives", "digits"],
    )
    def test_time_grows_with_the_size_only(self, text: str) -> None:
        start = time.process_time()
        with suppress(RecipeError):
            load(text, "f")
        assert time.process_time() - start < 30


class TestFiles:
    def test_missing_file_and_folder(self, tmp_path: Path) -> None:
        for path, reason in ((tmp_path / "no.yaml", "No such file or directory"), (tmp_path, "Is a directory")):
            with pytest.raises(RecipeError) as caught:
                load_file(path)
            assert str(caught.value) == f"{path}: cannot be read: {reason}"

    def test_nul_in_the_name(self) -> None:
        with pytest.raises(RecipeError, match=r"cannot be read: embedded null byte$"):
            load_file("a\0b")

    @pytest.mark.parametrize(
        ("data", "place"), [("a: 1\nb: é".encode("latin-1"), "2:4"), ("a: 1".encode("utf-16"), "1:1")]
    )
    def test_other_encodings(self, data: bytes, place: str, tmp_path: Path) -> None:
        path = tmp_path / "other.yaml"
        path.write_bytes(data)
        with pytest.raises(RecipeError) as caught:
            load_file(str(path))
        assert str(caught.value) == f"{path}:{place}: not UTF-8 text; save the file as UTF-8"


class TestPlaces:
    TEXT = "a:\n  b: {c: 1, d: [x, {e: 2}]}\n1: z\n"

    @pytest.mark.parametrize(
        ("path", "place"),
        [
            ((), (1, 1)),
            (("a",), (1, 1)),
            (("a", "b"), (2, 3)),
            (("a", "b", "c"), (2, 7)),
            (("a", "b", "d", 0), (2, 17)),
            (("a", "b", "d", 1, "e"), (2, 21)),
            (("a", "b", "nothing", "more"), (2, 3)),
            (("a", "b", "d", 7), (2, 13)),
            (("a", "b", "d", "x"), (2, 13)),
            (("nothing",), (1, 1)),
            ((1,), (3, 1)),
        ],
    )
    def test_find(self, path: tuple[str | int, ...], place: tuple[int, int]) -> None:
        assert find(load(self.TEXT, "f"), path) == place

    def test_nodes(self) -> None:
        root = load("key: 1.10\n", "f")
        assert root == Node({"key": Entry(1, 1, Node(1.1, 1, 6, "1.10"))}, 1, 1)

    def test_path_as_text(self) -> None:
        assert dotted_path(("recipes", 2, "title")) == "recipes[2].title"
        assert dotted_path(()) == ""
        assert dotted_path(("line\nbreak", "x" * 100)) == rf"line\nbreak.{'x' * 60}..."

    def test_faults(self) -> None:
        faults = Faults()
        faults.raise_if_any()
        faults.add("b.yaml", 10, 1, ("k",), "later")
        faults.add("b.yaml", 9, 5, "a.k", "sooner\nand on one line")
        faults.add("a.yaml", None, None, (), "no place")
        with pytest.raises(RecipeError) as caught:
            faults.raise_if_any()
        assert str(caught.value) == "a.yaml: no place\nb.yaml:9:5: a.k: sooner and on one line\nb.yaml:10:1: k: later"


class TestOverrides:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("30", 30),
            (" 1e-2 ", 0.01),
            ("{laplace: {f: 1e-2}}", {"laplace": {"f": 0.01}}),
            ("[1, no, '2']", [1, "no", "2"]),
            ("a: b # c", "a: b # c"),
            ("- x", "- x"),
            ("@x", "@x"),
            (r"C:\new", r"C:\new"),
            ("", None),
        ],
    )
    def test_value(self, text: str, expected: Any) -> None:
        assert plain(parse_value(text, "--set k")) == expected

    def test_version_keeps_its_text(self) -> None:
        assert parse_value("1.10", "x") == Node(1.1, 1, 1, "1.10")

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("[1", "1:1: this '[' is never closed, or a ',' is missing inside it"),
            (
                "{laplace:{f:1}}",
                "1:11: laplace.f:1: a blank must follow the ':' after a key; quote a key that holds ':'",
            ),
            ("{a: 1, a: 2}", "1:8: a: key 'a' is given twice, in line 1"),
            ("!!int 3", "1:1: tags are not allowed, found '!!int'; quote text that starts with '!'"),
            ("*x", "1:1: alias '*x' has no anchor before it"),
            ("[a] b", "1:5: unexpected text after the end of the value"),
            ("a\x07", "1:2: character U+0007 is not allowed"),
            (".nan", "1:1: .nan is not allowed; leave the key out, or quote it if it is text"),
        ],
    )
    def test_refused(self, text: str, expected: str) -> None:
        with pytest.raises(RecipeError) as caught:
            parse_value(text, "--set k")
        assert str(caught.value) == f"--set k:{expected}"

    @pytest.mark.parametrize(("text", "kind"), [("[1]", "a list"), ("{a: 1}", "a mapping")])
    def test_scalar_only(self, text: str, kind: str) -> None:
        with pytest.raises(RecipeError, match=f"^value:1:1: number or text expected, found {kind}$"):
            parse_scalar(text)


YAML_PIECES = st.sampled_from(
    [
        *"\n\t\r -:?,[]{}&*!|>%@`'\"\\#~.ax1\ufeff\x85\u2028\x00é",
        *("\n  ", ": ", "- ", "a: ", "---", "...", "<<", "\\U", "%YAML ", "%TAG ", "!!", "&a ", "*a", "null", "1e9"),
        *("C:\\", "FFFFFFFF", "\r\n"),
    ]
)


def outcome(read: Callable[..., Node], *arguments: Any) -> Node | str:
    """Return the node, or the text of the one error that may happen."""
    try:
        return read(*arguments)
    except RecipeError as error:
        return str(error)


class TestProperties:
    @settings(max_examples=600, deadline=None)
    @given(st.one_of(st.text(), st.lists(YAML_PIECES, max_size=40).map("".join)))
    def test_any_text_gives_a_node_or_a_recipe_error(self, text: str) -> None:
        for read, whole in ((load, text), (parse_value, text), (load, "a: 1\nb: " + text)):
            found = outcome(read, whole, "f")
            if isinstance(found, str):
                assert all(re.match(r"f:[0-9]+:[0-9]+: .", line) for line in found.split("\n"))
            else:
                plain(found)

    @settings(max_examples=200, deadline=None)
    @given(st.binary(max_size=60))
    def test_any_bytes(self, tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
        path = tmp_path_factory.getbasetemp() / "bytes.yaml"
        path.write_bytes(data)
        found = outcome(load_file, path)
        assert isinstance(found, Node) or found.startswith(f"{path}:")

    @settings(deadline=None)
    @given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**98), 10**98))
    def test_numbers_come_back(self, number: float) -> None:
        for found in (value_of(repr(number)), parse_scalar(repr(number))):
            assert found == number
            assert type(found) is type(number)

    @settings(deadline=None)
    @given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" ")))
    def test_quoted_text_comes_back(self, text: str) -> None:
        quoted = "'" + text.replace("'", "''") + "'"
        assert value_of(quoted) == parse_scalar(quoted) == text

    @settings(deadline=None)
    @given(st.text(st.characters(exclude_categories=["C", "Z"])))
    def test_raw_is_what_was_written(self, text: str) -> None:
        # an anchor in front of a value is no part of it
        value = text if not text.startswith("&") else ""
        node = outcome(parse_value, value, "f")
        assert isinstance(node, str) or node.quoted or node.raw is None or node.raw == value
