"""Properties of the ARFF reader and writer over generated data sets and documents."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbframework.data.arff import format_arff, parse_arff, read_arff, write_arff
from nbframework.data.arff.reader import Engine, parse_with
from nbframework.data.attribute import Attribute, Kind
from nbframework.data.dataset import Dataset
from nbframework.errors import ARFFError

AWKWARD = "'\"\\%,{}?@ \t\n\r\x00\x1e\x7f\x85\xa0\u2028\ufeffé∂🙂aB0"
texts = st.one_of(st.text(AWKWARD, max_size=6), st.text(max_size=6), st.sampled_from(["", "?", "@data", "NaN", "a b"]))
weights = st.floats(0, 1e300, allow_nan=False) | st.integers(0, 5).map(float)
DAY = 86_400_000
DATES = {
    "yyyy-MM-dd": st.integers(-3000, 40000).map(lambda day: float(day * DAY)),
    "dd/MMM/yyyy hh:mm:ss.SSS a": st.integers(-(10**13), 10**13).map(float),
    None: st.integers(-(10**10), 10**10).map(lambda second: float(second * 1000)),
}


@st.composite
def columns(draw: st.DrawFn, name: str, rows: int) -> tuple[Attribute, list[object] | np.ndarray]:
    kind: Kind = draw(st.sampled_from(["nominal", "numeric", "date", "string"]))
    weight = draw(weights)
    if kind == "nominal":
        values = tuple(draw(st.lists(texts, unique=True, max_size=4)))
        cells = st.sampled_from([*values, None])
        return Attribute(name, kind, values, weight=weight), draw(st.lists(cells, min_size=rows, max_size=rows))
    pattern = draw(st.sampled_from(list(DATES))) if kind == "date" else None
    numbers = {
        "numeric": st.floats(allow_infinity=False),
        "date": DATES[pattern] | st.none(),
        "string": texts | st.none(),
    }
    cells_of_kind = draw(st.lists(numbers[kind], min_size=rows, max_size=rows))
    return Attribute(name, kind, format=pattern, weight=weight), cells_of_kind


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    rows = draw(st.integers(0, 5))
    names = draw(st.lists(texts, unique=True, min_size=1, max_size=4))
    parts = [draw(columns(name, rows)) for name in names]
    row_weights = draw(st.none() | st.lists(weights, min_size=rows, max_size=rows))
    return Dataset.from_columns(
        [attribute for attribute, _ in parts],
        [cells for _, cells in parts],
        draw(st.sampled_from(names)),
        row_weights,
        draw(texts),
    )


@settings(deadline=None)
@given(datasets())
def test_reading_what_was_written_gives_the_same_data_set(dataset: Dataset) -> None:
    back = parse_arff(format_arff(dataset), class_attribute=dataset.class_attribute.name)
    assert back.equals(dataset)
    assert back.name == dataset.name


@pytest.mark.parametrize("suffix", [".arff", ".arff.gz"])
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(dataset=datasets())
def test_a_file_keeps_the_data_set(dataset: Dataset, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"data{suffix}"
    write_arff(dataset, path)
    assert read_arff(path, dataset.class_attribute.name).equals(dataset)


@settings(deadline=None)
@given(datasets())
def test_writing_twice_gives_the_same_text(dataset: Dataset) -> None:
    text = format_arff(dataset)
    assert format_arff(parse_arff(text, class_attribute=dataset.class_attribute.name)) == text


HEADER = (
    "@relation r\n@attribute x numeric\n@attribute s string\n"
    "@attribute c {a,b,'a b','?','',\"it's\",'50%','1'}\n@data\n"
)
NO_STRING = HEADER.replace("@attribute s string\n", "@attribute y real\n")
NUMBERS = ["1", "-.5", "1e3", "+2.", "?", "'?'", "'1'", "nan", "inf", "1_0", "1e999", "0x1", "1.2.3", "--1", "."]
WORDS = ["a", "b", "''", '"it\'s"', r"'it\'s'", "'50%'", "50%", "%", "{2}", "'a'b", "a'b'", "'", '"', "@data", "\u0661"]
ESCAPES = ["\\", r"'\\'", r"'\8'", r"'\012'", r"'\q'", r"'\141'", "'\\"]
BLANKS = [" a", "b\t", "'a b'", '"a b"', "a b", "", "{0 1}", "\xa0", "a\xa0", "\x00", "\x0b"]
CELLS = st.sampled_from([*NUMBERS, *WORDS, *ESCAPES, *BLANKS])
sound_rows = st.tuples(
    st.sampled_from(["1", "-.5", "?", " 1e3", "'7'"]),
    st.sampled_from(["1", "?", "2.", "3 "]),
    st.sampled_from(["a", "b", "?", "'?'", "''", '"a b"', '"it\'s"', "'it\\'s'", "'50%'", "1"]),
).map(",".join)
loose_rows = st.lists(CELLS, min_size=1, max_size=4).map(",".join)
bodies = st.one_of(
    st.lists(sound_rows, max_size=4).map("\n".join),
    st.lists(st.one_of(sound_rows, loose_rows, st.sampled_from(["", "% c", " %", "\t"])), max_size=3).map("\n".join),
    st.text("ab1.,'\"?{} \t\\%n-e5\n\r", max_size=24),
)


@settings(deadline=None, max_examples=600)
@given(st.sampled_from([HEADER, NO_STRING]), bodies)
def test_a_fast_engine_agrees_with_the_careful_one_or_hands_over(header: str, body: str) -> None:
    try:
        careful = parse_with([Engine.CAREFUL], header + body)
    except ARFFError:
        careful = None
    for engine in (Engine.COMPILED, Engine.PLAIN, Engine.LIAC):
        fast = parse_with([engine], header + body)
        assert fast is None or (careful is not None and fast.equals(careful))


@settings(deadline=None)
@given(st.text(AWKWARD + "abcdefghilmnorstu@{}", max_size=60))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    places: list[int | None] = []
    for document in (text, "@relation r\n" + text, HEADER + text):
        try:
            parse_arff(document)
        except ARFFError as error:
            places.append(error.line)
    assert None not in places
