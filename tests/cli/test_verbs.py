"""The verbs that show things: recipes, show, check, parts, schema, data, demo, and the command itself."""

import json
import signal

import pytest
import yaml

from nbframework import Recipe
from nbframework.cli.group import VERBS
from nbframework.data.catalog import bundled_names
from nbframework.plugins import installed
from nbframework.recipe.catalog import recipe_paths

# --- the command itself


def test_without_a_verb_the_help_is_shown(nbf):
    result = nbf()
    assert result.code in (0, 2)
    assert all(verb in result.out + result.err for verb in VERBS)


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_verb(nbf, option):
    result = nbf(option)
    assert (result.code, result.err) == (0, "")
    for verb, words in VERBS.items():
        assert verb in result.out
        assert words.split()[0] in result.out


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb in ("evaluate", "recipes", "show", "check", "parts")])
def test_the_help_of_a_verb_has_an_example(nbf, verb):
    result = nbf(verb, "--help")
    assert result.code == 0
    assert f"Example: nbf {verb}" in result.out


def test_version_names_the_form_of_the_kernels(nbf):
    result = nbf("--version")
    assert result.code == 0
    assert result.out.startswith("nbframework 0.")
    assert "kernels" in result.out


def test_a_misspelt_verb(nbf):
    result = nbf("evalute")
    assert (result.code, result.out) == (2, "")
    assert "no verb 'evalute'; did you mean 'evaluate'?" in result.err


def test_debug_shows_the_traceback_of_an_error(nbf):
    from nbframework import RecipeError
    from nbframework.cli import main

    with pytest.raises(RecipeError):
        main(["--debug", "show", "nope"])


# --- recipes


def test_recipes_are_listed_with_their_citation(nbf):
    result = nbf("recipes")
    assert (result.code, result.err) == (0, "")
    lines = {line.split()[0]: line for line in result.out.splitlines()[1:]}
    assert list(lines) == sorted(recipe_paths(installed()))
    assert lines["sbc"].endswith("Kohavi, Becker & Sommerfield 1997, Table 2")


def test_recipes_as_json(nbf):
    rows = json.loads(nbf("recipes", "--json").out)
    assert {"recipe", "title", "cite"} <= set(rows[0])
    assert [row["recipe"] for row in rows] == sorted(recipe_paths(installed()))


# --- show


def test_show_prints_every_default_as_yaml_that_loads(nbf):
    result = nbf("show", "sbc", "--set", "estimator.f=2")
    assert result.code == 0
    recipe = Recipe.load("sbc", **{"estimator.f": 2})
    assert yaml.safe_load(result.out) == recipe.resolved()
    assert Recipe.from_text(result.out).identity() == recipe.identity()
    assert result.out.rstrip().endswith(f"# identity {recipe.identity()}")


def test_show_as_json(nbf):
    data = json.loads(nbf("show", "sbc", "--json").out)
    assert data.pop("identity") == Recipe.load("sbc").identity()
    assert data == Recipe.load("sbc").resolved()


def test_show_of_an_unknown_recipe(nbf):
    result = nbf("show", "lapalce-1")
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith("error: no recipe 'lapalce-1'; did you mean 'laplace-1'?")


# --- check


def test_check_of_good_recipes(nbf, tmp_path):
    path = tmp_path / "good.yaml"
    path.write_text("recipe: good\nestimator: frequency\n")
    result = nbf("check", "sbc", str(path))
    assert result.code == 0
    assert result.err.splitlines() == ["sbc: no fault", f"{path}: no fault"]


def test_check_reports_every_fault_of_every_file(nbf, tmp_path):
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text("recipe: one\nestimatr: laplace\nties: last\n")
    two.write_text("recipe: two\n\tx: 1\n")
    result = nbf("check", str(one), str(two), "sbc")
    assert (result.code, result.out) == (3, "")
    errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
    assert [line.split(": ")[1] for line in errors] == [f"{one}:2:1", f"{one}:3:1", f"{two}:2:1"]


def test_check_of_a_study_says_what_it_could_not_look_at(nbf, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("study: s\nrecipes: [sbc]\ndata: [iris, nowhere.arff]\n")
    result = nbf("check", str(path))
    assert (result.code, result.out) == (0, "")
    first, second = result.err.splitlines()
    assert first == f"{path}: no fault"
    assert second.startswith(f"{path}: not checked: 1 data file not found: nowhere.arff")
    (row,) = json.loads(nbf("check", str(path), "--json").out)
    assert (row["study"], row["faults"], len(row["unchecked"])) == (str(path), [], 1)


def test_check_of_a_faulty_study_is_3(nbf, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("study: s\nrecipes: [sbc]\ndata: [iris]\nmetrics: [acc]\n")
    result = nbf("check", str(path))
    assert (result.code, result.out) == (3, "")
    (line,) = result.err.splitlines()
    assert line.startswith(f"error: {path}:4:11: metrics[0]: found 'acc'")


def test_the_data_folder_is_for_studies(nbf, tmp_path):
    result = nbf("check", "sbc", "--data-dir", str(tmp_path))
    assert (result.code, result.out) == (2, "")
    assert "--data-dir is for studies" in result.err


def test_check_as_json(nbf, tmp_path):
    one = tmp_path / "one.yaml"
    one.write_text("recipe: one\nestimatr: laplace\n")
    result = nbf("check", str(one), "sbc", "--json")
    assert result.code == 3
    rows = json.loads(result.out)
    assert [len(row["faults"]) for row in rows] == [1, 0]


# --- parts


def test_parts_lists_kind_name_parameters_and_provider(nbf):
    result = nbf("parts", "--kind", "estimator")
    assert result.code == 0
    lines = result.out.splitlines()[1:]
    assert all(line.startswith("estimator ") for line in lines)
    (laplace,) = [line for line in lines if line.split()[1] == "laplace"]
    assert "f=1.0" in laplace
    assert laplace.endswith("nbframework 0.1.0 (estimator.laplace)")


def test_parts_describes_one(nbf):
    result = nbf("parts", "m-estimate")
    assert result.code == 0
    assert "Add m rows that are distributed like a prior q" in result.out
    assert "m: a number of at least 0; default 1.0" in result.out
    assert "prior: one of uniform, laplace; default uniform" in result.out
    assert "m_estimate.py:" in result.out


def test_parts_gives_the_whole_reference_of_one(nbf):
    lines = nbf("parts", "laplace").out.splitlines()
    assert lines[lines.index("Equation") + 1] == "    (N + f) / (n + k f)"
    assert lines[lines.index("Parameters") + 1] == "    f: a number of at least 0; default 1.0"
    assert "    Estimator.log_conditional(counts)" in lines
    assert lines[lines.index("From") + 1] == "    Kohavi, Becker & Sommerfield 1997, section 2.4"
    assert lines[lines.index("In a recipe") + 2] == "    estimator: {laplace: {f: 1.0}}"
    assert "laplace-nb" in " ".join(lines[lines.index("Recipes with it") :])


def test_parts_tells_the_promises_that_a_part_cannot_keep(nbf):
    lines = nbf("parts", "nearest").out.splitlines()
    place = lines.index("Promises that it cannot keep")
    assert lines[place + 1] == "    weight_two_is_the_row_twice: k counts rows, whatever their weights"


def test_the_reference_as_json(nbf):
    (part,) = json.loads(nbf("parts", "laplace", "--json").out)["parts"]
    assert part["equation"] == "(N + f) / (n + k f)"
    assert part["parameters"][0]["description"].startswith("The factor")
    assert Recipe.from_text(part["example"]).estimator.f == 1
    assert "laplace-nb" in part["recipes"]
    assert part["contract"][0]["call"] == "Estimator.log_conditional(counts)"


def test_parts_as_json(nbf):
    data = json.loads(nbf("parts", "--json").out)
    names = {(part["kind"], part["name"]) for part in data["parts"]}
    assert {("missing", "ignore"), ("structure", "naive"), ("density", "weka-kernel"), ("generator", "led24")} <= names
    assert data["faults"] == []


def test_parts_of_an_unknown_name(nbf):
    result = nbf("parts", "laplas")
    assert (result.code, result.out) == (4, "")
    assert "no part 'laplas'; did you mean 'laplace'?" in result.err


def test_parts_of_a_kind_that_is_given_as_a_name(nbf):
    result = nbf("parts", "structure")
    assert (result.code, result.out) == (4, "")
    assert "no part 'structure' (nbf parts --kind structure lists the parts of that kind)" in result.err


# --- schema


def test_the_schema_knows_the_installed_parts(nbf):
    schema = json.loads(nbf("schema").out)
    assert schema["$schema"].endswith("2020-12/schema")
    names = schema["$defs"]["estimator"]["else"]["enum"]
    assert set(names) == {r.part.name for r in installed().registry if r.part.kind == "estimator"}


# --- data


def test_data_lists_the_bundled_sets(nbf):
    result = nbf("data")
    assert result.code == 0
    rows = {line.split()[0]: line.split()[1:] for line in result.out.splitlines()[1:]}
    assert tuple(rows) == bundled_names()
    # rows, numeric, nominal, classes, unknown
    assert rows["iris"] == ["150", "4", "0", "3", "0"]
    assert rows["tic-tac-toe"] == ["958", "0", "9", "2", "0"]


def test_data_describes_a_file(nbf, tmp_path):
    path = tmp_path / "small.arff"
    path.write_text("@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n1,a\n?,b\n4,b\n")
    result = nbf("data", str(path))
    assert result.code == 0
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[1][1:] == ["3", "1", "0", "2", "1"]
    assert lines[-2] == ["x", "numeric", "1", "1", "to", "4,", "mean", "2.5"]
    assert lines[-1] == ["c", "nominal", "(class)", "0", "a", "1,", "b", "2"]


def test_data_as_json(nbf):
    (row,) = json.loads(nbf("data", "monks-1", "--class", "a6", "--json").out)
    assert row["classes"] == 2
    assert [a["name"] for a in row["attributes"] if "(class)" in a["kind"]] == ["a6"]


def test_data_of_a_bad_file(nbf, tmp_path):
    path = tmp_path / "bad.arff"
    path.write_text("@relation r\n@attribute c {a,b}\n@data\nc\n")
    result = nbf("data", str(path))
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith(f"error: {path}:4:1: ")


# --- processes


def test_the_demo_ends_with_its_table(start):
    out, err = (process := start("demo")).communicate(timeout=120)
    assert process.returncode == 0
    header, *rows = out.splitlines()
    assert header.split() == ["accuracy", "majority", "gaussian-nb", "sbc-basic", "laplace-1", "sbc"]
    table = {line.split()[0]: line for line in rows if line}
    for name in ("iris", "wine", "digits", "monks-1", "led24", "waveform-21", "tic-tac-toe", "mean"):
        assert name in table
    assert err.startswith("5 recipes on 8 data sets, 10-fold stratified cross-validation, seed 1 ...")
    # guessing among ten equally frequent digits
    assert float(table["digits"].split()[1]) < 12


def test_an_interrupt_is_130_without_a_traceback(start):
    process = start("demo", "--repeats", "100")
    first = process.stderr.readline()
    assert "8 data sets" in first
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "interrupted" in err
    assert "Traceback" not in err


INTERRUPTS_AN_IMPORT = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            exec("raise KeyboardInterrupt")
sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize("module", ["nbframework.cli.group", "nbframework.cli.demo"])
def test_an_interrupt_while_the_command_is_loaded_is_130(module, start, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTS_AN_IMPORT.format(module=module))
    process = start("demo", PYTHONPATH=str(tmp_path))
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, "", "interrupted")


@pytest.mark.parametrize("arguments", [("recipes",), ("parts", "--json"), ("schema",)])
def test_a_reader_that_leaves_is_no_error(start, arguments):
    process = start(*arguments)
    process.stdout.close()
    process.stdout = None
    err = process.stderr.read()
    assert process.wait(timeout=60) in (0, -signal.SIGPIPE, 128 + signal.SIGPIPE)
    assert err == ""


def test_a_plugin_fault_is_4_in_strict_mode_only(start):
    broken = {"NBFRAMEWORK_PLUGINS": "a_module_that_is_not_there"}
    process = start("--strict", "recipes", **broken)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (4, "")
    assert "a_module_that_is_not_there" in err
    assert "Traceback" not in err
    process = start("show", "sbc", **broken)
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_piped_output_has_no_colour(start):
    out, _ = start("recipes").communicate(timeout=60)
    assert "\x1b" not in out
