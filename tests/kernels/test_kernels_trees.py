"""Rows on their way down a tree: right values, the same bits in both forms, and nothing outside the memory."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.kernels import definitions, implementation, tree_sums

FORMS: list[Any] = [pytest.param(definitions, id="definition")]
if implementation() == "compiled":
    from nbframework.kernels import _compiled, compiled

    FORMS.append(pytest.param(compiled, id="compiled"))

needs_compiled = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
CODE_TYPES = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64)
NAN = np.nan


def small(**changes: Any) -> dict[str, Any]:
    """A code with three branches at the root, a cut at 2.5 below branch 1; each leaf has a power of ten."""
    arguments: dict[str, Any] = {
        "attribute": np.array([1, -1, 0, -1, -1, -1]),
        "cut": np.array([NAN, NAN, 2.5, NAN, NAN, NAN]),
        "first_child": np.array([1, -1, 4, -1, -1, -1]),
        "branches": np.array([3, 0, 2, 0, 0, 0]),
        "share": np.array([0.0, 0.5, 0.25, 0.25, 0.75, 0.25]),
        "columns": [np.array([1.0, 2.5, 3.0, 1.0, NAN]), np.array([0, 1, 1, 2, 1], dtype=np.uint8)],
        "rows": 5,
        "slack": 0.0,
        "table": np.array([[9.0], [1.0], [9.0], [10.0], [100.0], [1000.0]]),
    }
    return arguments | changes


@pytest.mark.parametrize("form", FORMS)
def test_rows_of_known_values_get_the_numbers_of_their_leaf(form: ModuleType) -> None:
    columns = [np.array([1.0, 2.5, 3.0, NAN]), np.array([0, 1, 1, 2])]
    np.testing.assert_array_equal(form.tree_sums(**small(columns=columns, rows=4)), [[1], [100], [1000], [10]])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("number", "code", "expected"),
    [
        (NAN, 1, 0.75 * 100 + 0.25 * 1000),
        (3.0, 3, 0.5 + 0.25 * 1000 + 0.25 * 10),
        (3.0, 200, 0.5 + 0.25 * 1000 + 0.25 * 10),
        (NAN, 4, 0.5 + 0.25 * 0.75 * 100 + 0.25 * 0.25 * 1000 + 0.25 * 10),
    ],
)
def test_an_unknown_value_sends_fractions_down_all_branches(
    form: ModuleType, number: float, code: int, expected: float
) -> None:
    columns = [np.array([number]), np.array([code], dtype=np.uint8)]
    np.testing.assert_array_equal(form.tree_sums(**small(columns=columns, rows=1)), [[expected]])


@pytest.mark.parametrize("form", FORMS)
def test_no_fraction_enters_a_node_of_share_0(form: ModuleType) -> None:
    share, table = np.array([0.0, 0.0, 0.0, 0.5, 1.0, 0.0]), small()["table"].copy()
    table[5] = np.inf
    columns = [np.array([NAN, NAN]), np.array([9, 1], dtype=np.uint8)]
    found = form.tree_sums(**small(columns=columns, rows=2, share=share, table=table))
    np.testing.assert_array_equal(found, [[5], [100]])
    nowhere = form.tree_sums(**small(columns=columns, rows=2, share=np.zeros(6)))
    np.testing.assert_array_equal(nowhere, [[0], [0]])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("slack", "expected"), [(0.0, 1000), (1e-6, 100)])
def test_numbers_above_a_cut_by_less_than_the_slack_are_below_it(
    form: ModuleType, slack: float, expected: float
) -> None:
    columns = [np.array([2.5 + 5e-7]), np.array([1], dtype=np.uint8)]
    np.testing.assert_array_equal(form.tree_sums(**small(columns=columns, rows=1, slack=slack)), [[expected]])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("columns", [[], [np.array([1.0, NAN, 3.0])]])
def test_a_tree_of_one_node_says_the_same_of_all_rows(form: ModuleType, columns: list[np.ndarray]) -> None:
    leaf, none = np.array([-1]), np.array([0])
    found = form.tree_sums(leaf, np.array([NAN]), leaf, none, np.ones(1), columns, 3, 0.0, np.array([[0.25, 0.75]]))
    np.testing.assert_array_equal(found, [[0.25, 0.75]] * 3)


@pytest.mark.parametrize("form", FORMS)
def test_no_rows_and_no_classes(form: ModuleType) -> None:
    columns = [np.empty(0), np.empty(0, dtype=np.uint8)]
    assert form.tree_sums(**small(columns=columns, rows=0)).shape == (0, 1)
    assert form.tree_sums(**small(table=np.empty((6, 0)))).shape == (5, 0)


def comb(depth: int) -> dict[str, Any]:
    """A tree that goes on at branch 1 of each level: numbers above d cuts 0, 1, 2, ... end at leaf 2d + 1.

    Half of a half of a half, and so on, of an unknown number goes on, so that its mean leaf is 2 * 1 + 1.
    """
    count = 2 * depth + 1
    inner = np.arange(count) % 2 == 0
    inner[-1] = False
    return {
        "attribute": np.where(inner, 0, -1),
        "cut": np.where(inner, np.arange(count) / 2, NAN),
        "first_child": np.where(inner, np.arange(count) + 1, -1),
        "branches": np.where(inner, 2, 0),
        "share": np.full(count, 0.5),
        "slack": 0.0,
        "table": np.arange(float(count))[:, np.newaxis],
    }


@pytest.mark.parametrize("form", FORMS)
def test_a_deep_tree(form: ModuleType) -> None:
    found = form.tree_sums(**comb(800), columns=[np.array([-1.0, 3.5, 799.5, NAN])], rows=4)
    np.testing.assert_allclose(found[:, 0], [1, 9, 1600, 3], rtol=1e-15)


@needs_compiled
def test_a_very_deep_tree_needs_no_deep_stack() -> None:
    found = compiled.tree_sums(**comb(200_000), columns=[np.array([1e9, NAN])], rows=2)
    np.testing.assert_allclose(found[:, 0], [400_000, 3], rtol=1e-15)


@st.composite
def grown(draw: st.DrawFn) -> dict[str, Any]:
    """A tree of any shape over columns of codes and numbers, and rows that know some of their values."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = draw(st.lists(st.sampled_from([0, 0, 1, 2, 3, 5, 100, 300]), max_size=6))
    rows = draw(st.one_of(st.integers(0, 3), st.integers(0, 200), st.sampled_from([511, 512, 513, 3000])))
    unknown = draw(st.sampled_from([0.0, 0.1, 0.6]))
    attribute, cut, first, branches = [-1], [NAN], [-1], [0]
    for _ in range(draw(st.integers(0, 60)) if sizes else 0):
        node = int(generator.choice(np.flatnonzero(np.array(branches) == 0)))
        attribute[node] = int(generator.integers(len(sizes)))
        size = sizes[attribute[node]]
        cut[node], branches[node] = NAN if size else generator.integers(-3, 4) / 2, size or 2
        first[node] = len(branches)
        for array, of_leaf in ((attribute, -1), (cut, NAN), (first, -1), (branches, 0)):
            array.extend([of_leaf] * branches[node])
    if draw(st.booleans()):
        # what was below stays behind without a parent
        branches[int(generator.integers(len(branches)))] = 0
    share = generator.choice([0.0, 0.2, 0.5, 1.0, NAN], len(branches), p=[0.1, 0.3, 0.3, 0.2, 0.1])
    table = generator.random((len(branches), draw(st.integers(1, 5))))
    table[generator.random(table.shape) < 0.1] = draw(st.sampled_from([0.0, np.inf, 1e-310]))
    return {
        "attribute": np.array(attribute),
        "cut": np.array(cut),
        "first_child": np.array(first),
        "branches": np.array(branches),
        "share": share,
        "columns": [column(draw, generator, size, rows, unknown) for size in sizes],
        "rows": rows,
        "slack": draw(st.sampled_from([0.0, 1e-6, 0.5])),
        "table": table,
    }


def column(draw: st.DrawFn, generator: np.random.Generator, size: int, rows: int, unknown: float) -> np.ndarray:
    lost = generator.random(rows) < unknown
    step = draw(st.sampled_from([1, 1, 2, -1]))
    if not size:
        numbers = generator.choice([-np.inf, np.inf, *np.arange(-4, 5) / 2, *(np.arange(-3, 4) / 2 + 5e-7)], rows)
        numbers[lost] = NAN
        return np.repeat(numbers, abs(step))[::step]
    kind = draw(st.sampled_from([kind for kind in CODE_TYPES if size + 1 <= np.iinfo(kind).max]))
    beyond = [size, size + 1, np.iinfo(kind).max, np.iinfo(kind).min if np.iinfo(kind).min else size]
    codes = generator.integers(0, size, rows).astype(kind)
    codes[lost] = generator.choice(np.array(beyond, dtype=kind), int(lost.sum()))
    return np.repeat(codes, abs(step))[::step]


@needs_compiled
@settings(max_examples=250, deadline=None)
@given(arguments=grown(), kind=st.sampled_from([np.int64, np.int32, np.int16]), step=st.sampled_from([1, 2, -1]))
def test_both_forms_give_the_same_bits(arguments: dict[str, Any], kind: type, step: int) -> None:
    expected = definitions.tree_sums(**arguments)
    for name in ("attribute", "first_child", "branches"):
        array = arguments[name].astype(kind)
        arguments[name] = np.repeat(array[::-1] if step < 0 else array, abs(step))[::step]
    arguments["share"], arguments["cut"] = (np.repeat(arguments[name], 2)[::2] for name in ("share", "cut"))
    arguments["table"] = np.asfortranarray(arguments["table"])
    found = compiled.tree_sums(**arguments)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


@settings(max_examples=60, deadline=None)
@given(arguments=grown())
def test_a_row_has_the_same_sums_alone_as_beside_others(arguments: dict[str, Any]) -> None:
    together = tree_sums(**arguments)
    for row in range(0, arguments["rows"], 1 + arguments["rows"] // 5):
        columns = [column[row : row + 1] for column in arguments["columns"]]
        alone = tree_sums(**(arguments | {"columns": columns, "rows": 1}))
        assert alone.tobytes() == together[row : row + 1].tobytes()


def many(rows: int) -> dict[str, Any]:
    generator = np.random.default_rng(3)
    numbers = generator.integers(0, 6, rows).astype(float)
    numbers[::3] = NAN
    return small(columns=[numbers, generator.integers(0, 5, rows).astype(np.uint8)], rows=rows)


def test_same_bytes_on_many_threads() -> None:
    arguments = many(30_000)
    alone = tree_sums(**arguments).tobytes()
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(lambda: tree_sums(**arguments).tobytes()) for _ in range(24)]
        assert {future.result() for future in futures} == {alone}


def seen_meanwhile(call: Callable[[], object]) -> str:
    """Return where another thread was in ``call`` when this one was woken from inside it or after it."""
    state, begun = ["before"], threading.Event()

    def work() -> None:
        state[0] = "inside"
        begun.set()
        call()
        state[0] = "behind"

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    seen = state[0]
    thread.join()
    return seen


@needs_compiled
def test_another_thread_runs_meanwhile() -> None:
    """Threads do not take turns by themselves here: where a call kept the lock, no trial would see it from inside."""
    problem, sums = many(100_000), np.empty((100_000, 1))
    arrays = [problem[name] for name in ("attribute", "cut", "first_child", "branches", "share")]
    arguments = (*arrays, tuple(problem["columns"]), problem["slack"], problem["table"], sums)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    try:
        # a busy machine may wake this thread when a call is over
        assert any(seen_meanwhile(lambda: _compiled.tree_sums(*arguments)) == "inside" for _ in range(2000))
    finally:
        sys.setswitchinterval(interval)


@needs_compiled
def test_values_that_change_meanwhile_lead_to_some_leaf() -> None:
    arguments, stop = many(20_000), threading.Event()
    arguments["share"], arguments["table"] = arguments["share"].copy(), np.ones((6, 1))

    def disturb() -> None:
        while not stop.is_set():
            for code, number, node in ((255, NAN, 2**40), (1, 1.0, 1)):
                arguments["columns"][1][:] = code
                arguments["columns"][0][:] = number
                arguments["first_child"][0] = arguments["branches"][2] = node

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for _ in range(200):
            with suppress(ValueError):
                np.testing.assert_array_equal(compiled.tree_sums(**arguments), 1)
    finally:
        stop.set()
        thread.join()


def changed(name: str, place: int, value: float) -> dict[str, Any]:
    array = small()[name].copy()
    array[place] = value
    return {name: array}


NUMBERS, CODES = small()["columns"]


@needs_compiled
@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (changed("attribute", 0, 2), ValueError, "node 0 tests no column"),
        (changed("attribute", 2, -1), ValueError, "node 2 tests no column"),
        (changed("attribute", 2, 2**32), ValueError, "node 2 tests no column"),
        (changed("attribute", 2, 1), ValueError, "node 2 has a cut, but tests codes"),
        (changed("attribute", 0, 0), ValueError, "node 0 has a branch for each code, but tests numbers"),
        (changed("first_child", 0, 0), ValueError, "node 0 has children that are not behind it"),
        (changed("first_child", 2, 1), ValueError, "node 2 has children that are not behind it"),
        (changed("first_child", 2, -1), ValueError, "node 2 has children that are not behind it"),
        (changed("first_child", 2, 5), ValueError, "node 2 has children that are not behind it"),
        (changed("first_child", 2, 6), ValueError, "node 2 has children that are not behind it"),
        (changed("first_child", 2, 2**32 + 4), ValueError, "node 2 has children that are not behind it"),
        (changed("first_child", 2, 3), ValueError, "node 2 has a child of another node"),
        (changed("branches", 0, 6), ValueError, "node 0 has children that are not behind it"),
        (changed("branches", 0, -1), ValueError, "node 0 has children that are not behind it"),
        (changed("branches", 0, 2**32), ValueError, "node 0 has children that are not behind it"),
        (changed("branches", 2, 1), ValueError, "node 2 has a cut, but not two branches"),
        ({"attribute": np.array([1, -1, 0, -1, -1])}, ValueError, "attribute: expected 6"),
        ({"first_child": np.array([1, -1, 4, -1, -1])}, ValueError, "first_child: expected 6"),
        ({"branches": np.zeros(7, dtype=np.intp)}, ValueError, "branches: expected 6"),
        ({"branches": np.zeros(6)}, TypeError, "native integers"),
        ({"branches": [3, 0, 2, 0, 0, 0]}, TypeError, "buffer|bytes-like"),
        ({"cut": np.empty(0)}, ValueError, "at least the root, found 0"),
        ({"cut": np.empty((6, 1))}, ValueError, "dimensions"),
        ({"share": np.zeros(5)}, ValueError, "share, table: expected 6"),
        ({"table": np.zeros((5, 1))}, ValueError, "share, table: expected 6"),
        ({"columns": []}, ValueError, "node 0 tests no column"),
        ({"columns": [NUMBERS]}, ValueError, "node 0 tests no column"),
        ({"columns": [NUMBERS, CODES[:4]]}, ValueError, "column 1 has 4 rows, expected 5"),
        ({"columns": [NUMBERS[:, np.newaxis], CODES]}, ValueError, "dimension"),
        ({"columns": [NUMBERS, CODES[:, np.newaxis]]}, ValueError, "dimension"),
        ({"columns": [NUMBERS, CODES.astype(">u2")]}, TypeError, "native integers"),
        ({"rows": 4}, ValueError, "column 0 has 5 rows, expected 4"),
        ({"rows": -1}, ValueError, "negative"),
        ({"slack": None}, TypeError, "real number|float"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        compiled.tree_sums(**small(**changes))


@needs_compiled
def test_sums_must_be_writable_and_columns_a_tuple() -> None:
    given = small()
    nodes = [given[name] for name in ("attribute", "cut", "first_child", "branches", "share")]
    columns, table, frozen = tuple(given["columns"]), given["table"], np.zeros((5, 1))
    frozen.flags.writeable = False
    for sums in (frozen, np.zeros(5), np.zeros((5, 2)), np.zeros((5, 1), np.float32), np.zeros((10, 1))[::2], None):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.tree_sums(*nodes, columns, 0.0, table, sums)
    for others in (list(columns), None, (columns[0], None), (columns[0], [0] * 5)):
        with pytest.raises(TypeError):
            _compiled.tree_sums(*nodes, others, 0.0, table, np.zeros((5, 1)))
    with pytest.raises(TypeError):
        _compiled.tree_sums()
