"""Files checked without running them: what each is, and where its faults are."""

from pathlib import Path

import pytest

from nbframework.plugins import installed
from nbframework.study.checking import check, kind_of

HEAD = "study: s\nrecipes: [sbc]\n"
TOO_MANY = "protocol: {cross-validation: {folds: 200}}\n"


@pytest.fixture
def write(tmp_path: Path):
    def file(text: str, name: str = "s.yaml") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return file


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("recipe: r\n", "recipe"),
        ("study: s\nsuite: kappa2022-complete\n", "study"),
        ("suite: s\nsets: []\n", "suite"),
        # a key that is missing or misspelt does not change what the file is
        ("recipes: [sbc]\nsuite: kappa2022-complete\n", "study"),
        ("study: s\nrecipies: [sbc]\n", "study"),
        ("estimator: laplace\nties: first\n", "recipe"),
        ("estimatr: laplace\n", "recipe"),
        ("- x\n", "recipe"),
        ("\tx: 1\n", "recipe"),
        ("", "recipe"),
    ],
)
def test_the_keys_at_the_top_tell_what_a_file_is(write, text: str, kind: str) -> None:
    assert kind_of(write(text), installed()) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [("sbc", "recipe"), ("kohavi1997-table1", "study"), ("kappa2022-complete", "suite"), ("nothing", "recipe")],
)
def test_a_name_is_that_of_what_ships(name: str, kind: str) -> None:
    assert kind_of(name, installed()) == kind


def test_a_good_study_has_no_fault(write) -> None:
    found = check(write(HEAD + "data: [iris, wine]\n"))
    assert (found.kind, found.faults, found.unchecked) == ("study", (), ())


def test_faults_of_a_study_have_its_lines(write) -> None:
    path = write("study: s\nrecipes: [sbk]\ndata: [iris]\nmetrics: [acc]\n")
    one, two = check(path).faults
    assert one.startswith(f"{path}:2:11: recipes[0]: no recipe 'sbk'; did you mean 'sbc'?")
    assert two.startswith(f"{path}:4:11: metrics[0]: found 'acc', which is not known; did you mean 'accuracy'?")


def test_a_protocol_that_does_not_fit_has_the_line_of_the_data_set(write) -> None:
    path = write(HEAD + "data: [tic-tac-toe, iris]\n" + TOO_MANY)
    assert check(path).faults == (f"{path}:3:21: data[1]: data set iris: 200 folds need at least 200 rows, found 150",)
    path = write(HEAD + "data: iris\n" + TOO_MANY)
    assert check(path).faults == (f"{path}:3:1: data: data set iris: 200 folds need at least 200 rows, found 150",)


def test_a_data_set_of_a_suite_has_the_line_of_the_suite(write) -> None:
    write("suite: t\nsets:\n- {name: flowers, file: iris}\n", "t.yaml")
    path = write(HEAD + "suite: t.yaml\ndata: [tic-tac-toe]\n" + TOO_MANY)
    assert check(path).faults == (f"{path}:3:1: suite: data set flowers: 200 folds need at least 200 rows, found 150",)


def test_data_that_are_not_there_are_not_checked_and_the_others_are(write) -> None:
    path = write(HEAD + "data: [one.arff, iris, two.arff]\n" + TOO_MANY)
    found = check(path)
    assert len(found.faults) == 1
    (text,) = found.unchecked
    assert text.startswith("2 data files not found: one.arff, two.arff (looked in: ")


def test_the_folder_of_the_data_is_looked_in(write, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    bad = tmp_path / "data" / "one.arff"
    bad.write_text("@relation a\n@attribute x {a}\n@attribute c {a}\n@data\nb,a\n")
    path = write(HEAD + "data: [one.arff]\n")
    assert check(path, tmp_path / "data").faults[0].startswith(f"{path}:3:8: data[0]: {bad}:5:1: attribute 'x': found")
    assert check(path, tmp_path / "none").faults == (f"data folder '{tmp_path / 'none'}' does not exist",)


def test_faults_of_a_suite_have_its_lines(write) -> None:
    path = write("suite: t\nsets:\n- {name: a, fil: b}\n")
    found = check(path)
    assert found.kind == "suite"
    assert found.faults[1] == f"{path}:3:13: sets[0].fil: unknown key; did you mean 'file'?"
