"""``nbf evaluate``: exit codes, and what a failure leaves."""

import pytest
from support.strict_json import strict


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("sbc",),
        ("-d", "iris"),
        ("sbc", "-d", "iris", "--folds", "0"),
        ("sbc", "-d", "iris", "--folds", "many"),
        ("sbc", "-d", "iris", "--seed", "-1"),
        ("sbc", "-d", "iris", "--repeats", "0"),
        ("sbc", "-d", "iris", "--holdout", "0.5", "--leave-one-out"),
        ("sbc", "-d", "iris", "--metric", "luck"),
        ("sbc", "-d", "iris", "--set", "estimator"),
        ("sbc", "-d", "iris", "--no-such-option"),
    ],
)
def test_wrong_usage_is_2(nbf, arguments):
    result = nbf("evaluate", *arguments)
    assert (result.code, result.out) == (2, "")
    assert "Error: " in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("sbcc", "-d", "iris"), "did you mean 'sbc'?"),
        (("nowhere.yaml", "-d", "iris"), "nowhere.yaml: no such recipe file"),
        (("sbc", "-d", "irsi"), "did you mean 'iris'?"),
        (("sbc", "-d", "nowhere.arff"), "nowhere.arff"),
        (("sbc", "-d", "iris", "--class", "clas"), "no attribute 'clas'; did you mean 'class'?"),
        (("sbc", "-d", "iris", "--class", "sepal_length"), "'sepal_length' is numeric"),
        (("sbc", "-d", "iris", "--folds", "151"), "151 folds need at least 151 rows, found 150"),
        (("sbc", "-d", "iris", "--holdout", "1.5"), "1.5"),
        (("sbc", "-d", "iris", "--split", "1-10 | 5-20"), "5"),
        (("sbc", "-d", "iris", "--set", "estimator.g=1"), "--set: sbc: estimator.g: unknown parameter"),
        (("sbc", "kappa-60", "-d", "iris", "--set", "estimator.f=2"), "--set: kappa-60: estimator.f: unknown"),
    ],
)
def test_an_invalid_recipe_or_data_set_is_3(nbf, arguments, reason):
    result = nbf("evaluate", *arguments)
    assert (result.code, result.out) == (3, "")
    assert reason in result.err
    assert all(line.startswith("error: ") for line in result.err.splitlines())


def test_every_fault_of_a_recipe_has_a_line(nbf, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("recipe: bad\nestimatr: laplace\nmissing: ignor\nties: last\n")
    result = nbf("evaluate", str(path), "-d", "iris")
    assert result.code == 3
    assert [line.split(": ")[1].replace(str(path), "") for line in result.err.splitlines()] == [":2:1", ":3:1", ":4:1"]


def test_where_some_cells_fail_the_others_are_kept_and_the_code_is_1(nbf, write):
    tags = write(
        "tags.arff", "p,a; q,b; p,a; q,b", "@relation r\n@attribute tag string\n@attribute class {a,b}\n@data\n"
    )
    result = nbf("evaluate", "majority", "sbc", "-d", tags, "-d", "monks-1", "--folds", "2")
    assert result.code == 1
    assert result.err.count("attribute 'tag' is string") == 2
    assert [line.split()[0] for line in result.out.splitlines()[1:3]] == ["tags", "monks-1"]
    assert result.out.splitlines()[1].split()[1:] == ["-", "-"]


def test_failed_cells_in_json(nbf, write):
    tags = write(
        "tags.arff", "p,a; q,b; p,a; q,b", "@relation r\n@attribute tag string\n@attribute class {a,b}\n@data\n"
    )
    result = nbf("evaluate", "majority", "-d", tags, "-d", "monks-1", "--folds", "2", "--json")
    failed, good = strict(result.out)
    assert result.code == 1
    assert "attribute 'tag' is string" in failed["failed"]
    assert good["scores"]["accuracy"] == 0.5


def test_where_every_cell_fails_nothing_is_printed_and_the_code_is_3(nbf, write):
    tags = write(
        "tags.arff", "p,a; q,b; p,a; q,b", "@relation r\n@attribute tag string\n@attribute class {a,b}\n@data\n"
    )
    result = nbf("evaluate", "majority", "sbc", "-d", tags, "--folds", "2")
    assert (result.code, result.out) == (3, "")
    assert "attribute 'tag' is string" in result.err


def test_a_predictions_file_that_cannot_be_written_is_an_error(nbf, tmp_path):
    result = nbf("evaluate", "majority", "-d", "iris", "--predictions", str(tmp_path / "no" / "such" / "p.csv"))
    assert result.code != 0
    assert "Traceback" not in result.err
    assert "p.csv" in result.err or "no such" in result.err.lower()
