"""Every fault of a recipe at its place, and all of them at once."""

import pytest
from support.faulty import faults

from nbframework import Recipe, RecipeError


def test_all_faults_are_reported_at_once():
    text = (
        "recipe: t\n"
        "estimatr: laplace\n"
        "estimator: {laplace: {alhpa: 1, f: -2}}\n"
        "discretizer:\n"
        "  equal-width:\n"
        "    bins: many\n"
        "missing: ignor\n"
        "ties: last\n"
        "tie_tolerance: -1\n"
    )
    assert faults(text) == [
        "r.yaml:2:1: estimatr: unknown key; did you mean 'estimator'?",
        "r.yaml:3:23: estimator.alhpa: unknown parameter (parameters of laplace: f)",
        "r.yaml:3:33: estimator.f: found '-2', expected a number of at least 0",
        "r.yaml:6:5: discretizer.bins: found 'many', expected a whole number of at least 1",
        "r.yaml:7:1: missing: no missing 'ignor'; did you mean 'ignore'? "
        "(known: as-value, auto, drop-rows, ignore, impute)",
        "r.yaml:8:1: ties: found 'last', expected one of first, larger-class",
        "r.yaml:9:1: tie_tolerance: found '-1', expected a number of at least 0",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("estimator: {laplace: {f: yes}}", "found 'yes', expected a number of at least 0"),
        ("estimator: {laplace: {f: true}}", "found 'true', expected a number of at least 0"),
        ("estimator: {laplace: {f: '1'}}", "found '1', expected a number of at least 0"),
        ("estimator: {laplace: {f: .inf}}", "found '.inf', expected a number of at least 0"),
        ("estimator: {laplace: {f: null}}", "expected a number of at least 0"),
        ("estimator: {laplace: {f: [1]}}", "found list, expected a number of at least 0"),
        ("discretizer: {equal-width: {bins: 2.5}}", "found '2.5', expected a whole number of at least 1"),
        ("density: {gaussian: {variance: smple}}", "did you mean 'sample'?"),
        ("estimator: 3", "found '3', expected the name of a part"),
        ("estimator: true", "quote it if it is a name"),
        ("estimator: [laplace]", "expected the name of a part"),
        ("estimator: {laplace: {}, frequency: {}}", "found 2 keys, expected the name of a part"),
        ("estimator: {laplace: 1}", "found '1', expected parameters as {parameter: value}"),
        ("ties: larger_class", "did you mean 'larger-class'?"),
        ("title: null", "expected text"),
        ("requires: 3", "expected names of distributions"),
    ],
)
def test_a_wrong_value_says_what_was_expected(text, expected):
    (line,) = faults(f"recipe: t\n{text}")
    assert line.startswith("r.yaml:2:")
    assert expected in line


def test_text_values_are_read_as_written():
    assert Recipe.from_text("recipe: 010\ntitle: no\ncite: 1.10").name == "010"
    assert Recipe.from_text("recipe: t\ntitle: no").title == "no"
    assert Recipe.from_text("recipe: t\ncite: 1.10").cite == "1.10"


def test_a_missing_file():
    with pytest.raises(RecipeError, match=r"^nowhere\.yaml: no such recipe file$"):
        Recipe.load("nowhere.yaml")


def test_an_unknown_name_has_a_hint():
    with pytest.raises(RecipeError, match=r"no recipe 'sbcc'; did you mean 'sbc'\?"):
        Recipe.load("sbcc")


def test_the_defaults_are_no_recipe_to_load():
    with pytest.raises(RecipeError, match="no recipe 'defaults'"):
        Recipe.load("defaults")


# --- YAML-06 with the words of our recipes


def test_yaml_06_misspelt_keys():
    text = "recipe: demo\nestimator:\n  m-estimate:\n    pror: uniform\ndiscretiser: entropy-mdl\n"
    assert faults(text) == [
        "r.yaml:4:5: estimator.pror: unknown parameter; did you mean 'prior'? (parameters of m-estimate: m, prior)",
        "r.yaml:5:1: discretiser: unknown key; did you mean 'discretizer'?",
    ]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (b"recipe: t\nestimator: laplace\nties: first\nestimator: frequency\n", "lines 2 and 4"),
        (b"recipe: t\nestimator:\n\tlaplace:\n", ":3:1: tab used as indentation"),
        (b"", "the file is empty, a mapping is expected"),
        (b"- a\n", "mapping expected, found a list"),
        (b"recipe: t\n---\nrecipe: u\n", "one document expected"),
        (b"recipe: !!python/object:os.system t\n", "tags are not allowed"),
    ],
)
def test_faults_of_the_file_itself(tmp_path, case, expected):
    path = tmp_path / "bad.yaml"
    path.write_bytes(case)
    with pytest.raises(RecipeError) as caught:
        Recipe.load(path)
    assert str(caught.value).startswith(str(path))
    assert expected in str(caught.value)


def test_byte_order_mark_and_crlf_change_nothing(tmp_path):
    path = tmp_path / "dos.yaml"
    path.write_bytes(b"\xef\xbb\xbfrecipe: t\r\nestimator: {laplace: {f: 2}}\r\n")
    assert Recipe.load(path).identity() == Recipe.from_text("recipe: t\nestimator: {laplace: {f: 2}}").identity()
