"""The schema of rows in pieces is that of the rows read together."""

from functools import reduce
from itertools import permutations
from pathlib import Path

import pandas as pd
import pyarrow
import pytest
from pyarrow import parquet

from nbframework import Attribute, DataError, read_arff
from nbframework.data.alignment import joined
from nbframework.data.catalog import bundled_path
from nbframework.data.pieces import Piece, piece_chunks, pieces_of
from nbframework.data.scan import schema_of
from nbframework.data.tabular import read_table

CSV = "a,b,c,d\n1,x,?,p\n2.5, y ,NA,q\n,x,,p\n1e3,z,?,r\n"


def attributes(path: Path, rows: int = 2) -> tuple:
    return schema_of(pieces_of(str(path)), rows=rows).attributes


def test_a_csv_file_has_the_schema_of_the_whole(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CSV)
    assert attributes(tmp_path / "a.csv") == read_table(tmp_path / "a.csv").attributes


@pytest.mark.filterwarnings("ignore::nbframework.errors.DataWarning")
def test_a_text_late_in_a_column_of_numbers_makes_it_nominal(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,c\n" + "".join(f"{i},p\n" for i in range(20)) + "x,q\n")
    found = attributes(tmp_path / "a.csv")
    assert found == read_table(tmp_path / "a.csv").attributes
    assert found[0].cardinality == 21


def test_files_of_numbers_and_of_texts_are_texts_together(tmp_path: Path) -> None:
    rows = ["1,p\n2,q\n", "?,p\n", "x,p\n", "3,p\n"]
    for place, text in enumerate(rows):
        (tmp_path / f"{place}.csv").write_text(f"a,c\n{text}")
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "whole.csv").write_text("a,c\n" + "".join(rows))
    assert attributes(tmp_path / "*.csv") == read_table(tmp_path / "all" / "whole.csv").attributes


def test_a_parquet_file_has_the_schema_of_the_whole(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "number": [1.5, None, 2.0, 3.0],
            "whole": [1, 2, 3, 4],
            "flag": [True, False, True, True],
            "text": ["z", None, "a", "z"],
            "category": pd.Categorical(["low", "high", None, "low"], ["low", "mid", "high"]),
            "day": pd.to_datetime(["2020-01-01", "2021-01-01", None, "2022-01-01"]),
            "c": ["p", "q", "p", "q"],
        }
    )
    frame.to_parquet(tmp_path / "a.parquet", row_group_size=2)
    whole = read_table(tmp_path / "a.parquet")
    assert attributes(tmp_path / "a.parquet") == whole.attributes
    (piece,) = pieces_of(str(tmp_path / "a.parquet"))
    assert reduce(joined, piece_chunks(piece, whole.schema, 10)).equals(whole)


def test_an_arff_file_has_the_schema_of_its_header() -> None:
    assert attributes(bundled_path("iris")) == read_arff(bundled_path("iris")).attributes


def test_the_class_is_chosen_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CSV)
    assert schema_of(pieces_of(str(tmp_path / "a.csv")), "b").class_attribute.name == "b"
    with pytest.raises(DataError, match="no attribute 'bb'; did you mean 'b'"):
        schema_of(pieces_of(str(tmp_path / "a.csv")), "bb")


def test_row_groups_are_pieces_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nbframework.data.pieces.PIECE_ROWS", 3)
    pd.DataFrame({"a": range(9), "c": list("pqpqpqpqp")}).to_parquet(tmp_path / "a.parquet", row_group_size=2)
    path = tmp_path / "a.parquet"
    assert pieces_of(str(path)) == (Piece(path, (0, 1)), Piece(path, (2, 3)), Piece(path, (4,)))


@pytest.mark.parametrize(
    ("first", "second", "fault"),
    [
        ("a,c\n1,p\n", "b,c\n1,p\n", r"2\.csv: there is no column 'a', which .*1\.csv has"),
        ("a,a\n1,p\n", "a,a\n1,p\n", r"1\.csv: two columns are called 'a'"),
    ],
)
def test_files_that_do_not_fit_are_refused(first: str, second: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text(first)
    (tmp_path / "2.csv").write_text(second)
    with pytest.raises(DataError, match=fault):
        attributes(tmp_path / "*.csv")


def test_a_file_that_changes_on_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,c\nx,p\n")
    pieces = pieces_of(str(tmp_path / "a.csv"))
    schema = schema_of(pieces)
    (tmp_path / "a.csv").write_text("a,c\ny,p\n")
    with pytest.raises(DataError, match=r"a\.csv: attribute 'a' has the value 'y' now; the file has changed"):
        list(piece_chunks(pieces[0], schema, 10))


def test_a_csv_file_without_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("a,b,class\n")
    with pytest.raises(DataError, match=r"names.csv: no known field below the names"):
        attributes(path)
    with pytest.raises(DataError, match=r"names.csv: no rows below the names"):
        read_table(path)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_class_of_whole_numbers_has_them_as_labels(ending: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [0.5, 1.5, 2.5], "y": [10, 2, 10]})
    path = tmp_path / f"a.{ending}"
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    schema = schema_of(pieces_of(str(path)))
    assert schema.class_values == ("2", "10")
    whole = read_table(path)
    assert whole.attributes == schema.attributes
    (piece,) = pieces_of(str(path))
    assert reduce(joined, piece_chunks(piece, schema, 2)).equals(whole)


def test_the_relation_of_the_first_arff_file_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.arff").write_text("@relation flowers\n@attribute c {p,q}\n@data\np\n")
    (tmp_path / "b.csv").write_text("c\nq\n")
    assert schema_of(pieces_of(str(tmp_path / "*.*"))).name == "flowers"
    assert schema_of(pieces_of(str(tmp_path / "b.csv"))).name == "b"


# --- files of several forms

FORMS = {
    "numbers": ("csv", "1,p\n"),
    "texts": ("csv", "x,p\n"),
    "empty": ("csv", "?,p\n"),
    "numeric": ("arff", "@relation r\n@attribute n numeric\n@attribute c {p}\n@data\n1,p\n"),
    "nominal": ("arff", "@relation r\n@attribute n {1,2}\n@attribute c {p}\n@data\n1,p\n"),
    "date": ("arff", "@relation r\n@attribute n date\n@attribute c {p}\n@data\n?,p\n"),
    "parquet": ("parquet", ""),
}


def in_forms(folder: Path, *forms: str) -> tuple:
    for place, form in enumerate(forms):
        ending, text = FORMS[form]
        path = folder / f"{place}.{ending}"
        if ending == "parquet":
            pd.DataFrame({"n": [1.5], "c": ["p"]}).to_parquet(path)
        else:
            path.write_text(("n,c\n" if ending == "csv" else "") + text)
    return attributes(folder / "*.*")


@pytest.mark.parametrize("forms", [*permutations(["numbers", "numeric", "parquet"]), ("empty", "numeric", "numbers")])
def test_numbers_and_a_numeric_declaration_are_numeric(forms: tuple[str, ...], tmp_path: Path) -> None:
    assert in_forms(tmp_path, *forms)[0] == Attribute.numeric("n")


@pytest.mark.parametrize("forms", list(permutations(["numbers", "nominal", "texts"])))
def test_numbers_and_a_nominal_declaration_are_nominal(forms: tuple[str, ...], tmp_path: Path) -> None:
    found = in_forms(tmp_path, *forms)[0]
    assert found.is_nominal
    assert set(found.values) == {"1", "2", "x"}


@pytest.mark.parametrize("forms", list(permutations(["numbers", "numeric", "texts"])))
def test_texts_beside_a_numeric_declaration_are_refused(forms: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"attribute 'n' is (nominal there and numeric|numeric there and nominal) in"):
        in_forms(tmp_path, *forms)


def test_numbers_beside_a_date_are_refused_as_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"1\.csv: attribute 'n' is numeric there and date in .*0\.arff"):
        in_forms(tmp_path, "date", "numbers")


# --- Parquet files without known values

FULL = pd.DataFrame({"x": ["v", "u", "v"], "n": [1.5, 2.0, None], "b": [True, False, True], "c": ["p", "q", "p"]})
NOTHING = {
    "no rows": FULL[:0],
    "no rows and no types": pd.DataFrame({name: [] for name in FULL}),
    "None": pd.DataFrame({"x": [None], "n": [None], "b": [None], "c": [None]}),
    "NaN": pd.DataFrame({name: [float("nan")] for name in FULL}),
}


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("nothing", NOTHING)
def test_a_part_without_known_values_changes_no_attribute(nothing: str, first: bool, tmp_path: Path) -> None:
    FULL.to_parquet(tmp_path / "1.parquet")
    expected = attributes(tmp_path / "1.parquet")
    NOTHING[nothing].to_parquet(tmp_path / f"{0 if first else 2}.parquet")
    assert attributes(tmp_path / "*.parquet") == expected == read_table(tmp_path / "1.parquet").attributes
    schema = schema_of(pieces_of(str(tmp_path / "*.parquet")))
    parts = [chunk for piece in pieces_of(str(tmp_path / "*.parquet")) for chunk in piece_chunks(piece, schema, 2)]
    assert len(reduce(joined, parts)) == 3 + len(NOTHING[nothing])


@pytest.mark.parametrize("rows", [0, 2])
def test_columns_without_known_values_are_what_they_are_in_the_whole(rows: int, tmp_path: Path) -> None:
    types = {
        "text": pyarrow.string(),
        "nothing": pyarrow.null(),
        "whole": pyarrow.int64(),
        "flag": pyarrow.bool_(),
        "time": pyarrow.timestamp("ms"),
        "day": pyarrow.date32(),
        "category": pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
    }
    columns = {name: pyarrow.nulls(rows, kind) for name, kind in types.items()}
    columns["c"] = pyarrow.array(["p", "q"][:rows], pyarrow.string())
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    found = attributes(tmp_path / "a.parquet")
    assert found == read_table(tmp_path / "a.parquet").attributes
    kinds = {attribute.name: attribute.values or attribute.kind for attribute in found[:-1]}
    assert kinds == {
        "text": "numeric",
        "nothing": "numeric",
        "whole": "numeric",
        "flag": ("False", "True"),
        "time": "date",
        "day": "numeric",
        "category": "nominal",
    }
    assert found[-1] == Attribute.nominal("c", ["p", "q"][:rows])


def test_the_index_of_pandas_is_no_column(tmp_path: Path) -> None:
    FULL.set_index(pd.Index([7, 3, 5], name="number")).to_parquet(tmp_path / "a.parquet")
    assert attributes(tmp_path / "a.parquet") == read_table(tmp_path / "a.parquet").attributes
    assert [attribute.name for attribute in attributes(tmp_path / "a.parquet")] == list(FULL)
