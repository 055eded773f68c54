"""Every public problem case of the shared material has a test that names it, and none is skipped without a reason."""

import ast
import re
from pathlib import Path

import pytest
from support.cases import CASES, needs_cases
from support.paths import ROOT

TESTS = ROOT / "tests"
ROW = re.compile(r"^\| ([A-Z]+-\d+) \|", re.MULTILINE)
NAMED = re.compile(
    r"(?<![a-z])(arff|nb|disc|knn|ode|cv|stat|yaml|plug|pers|par|sql|cli)[-_](\d\d)(?!\d)", re.IGNORECASE
)


def named_in(path: Path) -> set[str]:
    """Return the cases that the tests of a file name: in a test's name, its arguments or its body."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        texts = []
        if isinstance(node, ast.FunctionDef):
            texts = [node.name]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = [node.value]
        found |= {f"{kind.upper()}-{number}" for text in texts for kind, number in NAMED.findall(text)}
    return found


def cases() -> list[str]:
    return ROW.findall((CASES / "README.md").read_text(encoding="utf-8")) if CASES.is_dir() else []


@pytest.fixture(scope="module")
def named() -> dict[str, list[str]]:
    """The files that name each case."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        if path != Path(__file__) and "distributions" not in path.parts:
            for case in named_in(path):
                found.setdefault(case, []).append(path.relative_to(TESTS).as_posix())
    return found


@needs_cases
def test_the_table_of_cases_is_read():
    assert len(cases()) == len(set(cases())) >= 101


@needs_cases
def test_every_case_has_a_test(named):
    assert sorted(set(cases()) - set(named)) == []


@needs_cases
def test_every_named_case_is_in_the_table_or_has_a_file(named):
    files = {f"{kind.upper()}-{number}" for path in CASES.iterdir() for kind, number in NAMED.findall(path.name)}
    assert sorted(set(named) - set(cases()) - files) == []


@needs_cases
def test_every_file_of_a_case_belongs_to_a_case_with_a_test(named):
    for path in CASES.iterdir():
        if path.name != "README.md":
            belongs = {f"{kind.upper()}-{number}" for kind, number in NAMED.findall(path.name)}
            assert belongs, path.name
            assert belongs <= set(named), path.name


def test_no_test_of_a_case_is_skipped_without_a_reason(named):
    for file in sorted({file for files in named.values() for file in files}):
        for node in ast.walk(ast.parse((TESTS / file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("skip", "skipif", "xfail"):
                words = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "reason")]
                wanted = 2 if ast.unparse(node.func).endswith("skipif") else 1
                assert len(words) >= wanted, f"{file}:{node.lineno}: a skip needs its reason"
            if isinstance(node, ast.Attribute) and ast.unparse(node) in ("pytest.mark.skip", "pytest.mark.xfail"):
                parents = [n for n in ast.walk(ast.parse((TESTS / file).read_text())) if isinstance(n, ast.Call)]
                called = {ast.unparse(call.func) for call in parents}
                assert ast.unparse(node) in called, f"{file}:{node.lineno}: a skip needs its reason"
