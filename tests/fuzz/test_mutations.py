"""Documents that are nearly right: only our own errors come out.

``NBFRAMEWORK_FUZZ=20000 pytest tests/fuzz`` tries more of them, and others at each run.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.fuzz_targets import TARGETS, is_harmless

CORPUS = Path(__file__).parent / "corpus"
ASKED = os.environ.get("NBFRAMEWORK_FUZZ")
BUDGET = settings(
    max_examples=int(ASKED or 40),
    derandomize=ASKED is None,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
NUMBERS = b"1e9|-|.|nan|inf|1_0|9999999999999999999999|\xc3\xa9|\x00|\xff|\r|\t|"
PIECES = {
    "arff": b"@relation |@attribute |@data\n|@end x\n|numeric |string |date |relational |{a,b}|{0 1}|{2.5}|yyyy-MM-dd|"
    b"{|}|'|\"|\\|,|?|%|\n|" + NUMBERS,
    "csv": b',|"|\n|?|NA| |a|' + NUMBERS,
    "yaml": b": |- |[|]|{|}|, |&a |*a|!!int |!x |<<: |'|\"|#|\n|  |~|null|true|.inf|.nan|---\n|...|? |\\|"
    b"recipe: |estimator: |laplace|extends: |tune: {from: 1, to: 3}|neighbourhood: |nearest|study: |recipes: |matrix: |"
    b"over: |data: |iris|protocol: |cross-validation: |folds: |metrics: |suite: |label: |" + NUMBERS,
    "model": b'{|}|[|]|"|: |, |null|true|NaN|"holds": |"rows"|"schema": |"recipe": |"class": |'
    b"\x93NUMPY|'descr': |'shape': |(|)|<f8|O|" + NUMBERS,
}


def pieces_of(target: str) -> list[bytes]:
    kind = next((kind for kind in PIECES if kind in target), "yaml")
    return PIECES[kind].split(b"|")


def documents(target: str) -> st.SearchStrategy[bytes]:
    """Return strategies for changed documents of the corpus: pieces put in, cut out, doubled or swapped."""
    seeds = [path.read_bytes() for path in sorted((CORPUS / target).iterdir()) if path.stat().st_size < 4000]
    place = st.integers(0, 4000)
    change = st.tuples(
        st.sampled_from(["insert", "replace", "cut", "double"]),
        place,
        st.integers(0, 40),
        st.sampled_from(pieces_of(target)) | st.binary(max_size=6),
    )
    return st.builds(_changed, st.sampled_from(seeds), st.lists(change, max_size=6))


def _changed(document: bytes, changes: list[tuple[str, int, int, bytes]]) -> bytes:
    for what, place, length, piece in changes:
        start = place % (len(document) + 1)
        cut = document[start : start + length]
        middle = {"insert": piece + cut, "replace": piece, "cut": b"", "double": cut + piece + cut}[what]
        document = document[:start] + middle + document[start + length :]
    return document


@pytest.mark.parametrize("target", TARGETS)
def test_a_changed_document_is_accepted_or_refused(target):
    @BUDGET
    @given(documents(target))
    def no_other_error(data):
        is_harmless(TARGETS[target], data)

    no_other_error()


@pytest.mark.parametrize("target", TARGETS)
def test_any_bytes_are_accepted_or_refused(target):
    @BUDGET
    @given(st.binary(max_size=200))
    def no_other_error(data):
        is_harmless(TARGETS[target], data)

    no_other_error()
