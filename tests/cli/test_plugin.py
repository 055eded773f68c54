"""``nbf plugin``: new, check and list; each process starts with the plugins that its folder holds."""

import json

import pytest
from support.distributions import estimator_module, install, nbf

from nbframework.data.arff import parse_arff

BROKEN_PRIOR = estimator_module("Odd", "odd").replace(
    "return log_prior_smoothed(counts, self.f)", "return 0 * counts.class_weight"
)
EXCEPTIONS = dict.fromkeys(("the_prior_matters", "one_class_is_answered"), "it is flat")
DECLARED = BROKEN_PRIOR.replace(
    "    f: Annotated", f"    exceptions: ClassVar[dict[str, str]] = {EXCEPTIONS}\n    f: Annotated"
)


def result(*arguments, **keywords):
    done = nbf(*arguments, **keywords)
    assert "Traceback" not in done.stderr
    return done


# --- new


def test_a_new_plugin_is_written_and_passes_its_check(tmp_path):
    folder = tmp_path / "three-way"
    made = result("plugin", "new", "estimator", "three-way", "--output", str(folder))
    assert made.returncode == 0
    assert str(folder / "nbframework_three_way" / "three_way.py") in made.stdout.splitlines()
    assert "nbf plugin check nbframework-three-way" in made.stderr
    checked = result("plugin", "check", str(folder), "--json")
    assert checked.returncode == 0, checked.stdout
    (part,) = json.loads(checked.stdout)["parts"]
    assert part["provider"] == "nbframework-three-way 0.1.0 (estimator.three-way)"
    assert {promise["status"] for promise in part["promises"]} == {"kept"}


def test_an_existing_folder_is_refused(tmp_path):
    made = result("plugin", "new", "estimator", "three-way", "--output", str(tmp_path))
    assert (made.returncode, made.stdout) == (4, "")
    assert made.stderr == f"error: {tmp_path}: exists already; name another folder with --output\n"


def test_a_misspelt_verb_has_a_hint():
    done = result("plugin", "chek")
    assert done.returncode == 2
    assert "no verb 'chek'; did you mean 'check'? (verbs: new, check, list)" in done.stderr


@pytest.mark.parametrize("verb", ["new", "check", "list"])
def test_the_help_of_each_verb_has_an_example(verb):
    assert f"Example: nbf plugin {verb}" in result("plugin", verb, "--help").stdout


# --- check


def test_a_declared_exception_is_printed_with_its_reason(site):
    install(site, "odd-plugin", {"estimator.odd": "odd_mod"}, {"odd_mod": DECLARED})
    lines = result("plugin", "check", "odd", site=site).stdout.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("  declared  the_prior_matters: "))
    assert lines[place + 1].strip() == "it is flat"


def test_a_broken_promise_is_said_with_an_exit_code_of_its_own(site):
    install(site, "odd-plugin", {"estimator.odd": "odd_mod"}, {"odd_mod": BROKEN_PRIOR})
    done = result("plugin", "check", "odd", site=site)
    assert done.returncode == 4
    assert "  BROKEN    the_prior_matters: of 95 rows against 5 the many are more probable" in done.stdout
    assert "95 of 100 rows are of the first class, its mean posterior is 0." in done.stdout
    assert done.stderr == "error: 2 promises are broken\n"


def test_a_broken_promise_comes_with_an_example_that_reads_back(site):
    alone = "assert ((counts.class_weight > 0).sum(axis=-1) > 1).all(), 'one class'"
    text = estimator_module("Odd", "odd").replace("return log_smoothed", f"{alone}\n        return log_smoothed")
    install(site, "odd-plugin", {"estimator.odd": "odd_mod"}, {"odd_mod": text})
    data = json.loads(result("plugin", "check", "odd", "--json", site=site).stdout)
    (promise,) = [promise for promise in data["parts"][0]["promises"] if promise["status"] == "broken"]
    assert (promise["promise"], promise["reason"]) == ("one_class_is_answered", "one class")
    example = parse_arff(promise["example"])
    assert (len(example), len(example.inputs)) == (1, 1)


def test_a_plugin_with_a_fault_is_told(site):
    install(site, "bad-plugin", {"estimator.bad": "bad_mod"}, {"bad_mod": "import nothing_of_that_name\n"})
    done = result("plugin", "check", "bad-plugin", site=site)
    assert (done.returncode, done.stdout) == (4, "")
    assert "No module named 'nothing_of_that_name'" in done.stderr


def test_a_required_part_is_put_in_and_another_required_parameter_is_said(site):
    text = estimator_module("Odd", "odd").replace("f: Annotated[float, Ge(0)] = 1.0", "f: Annotated[float, Ge(0)]")
    install(site, "odd-plugin", {"estimator.odd": "odd_mod"}, {"odd_mod": text})
    done = result("plugin", "check", "odd", site=site)
    assert done.returncode == 0
    assert "  not checked: its parameter f has no default; call checks_of on a configured one" in done.stdout


def test_an_unknown_name_has_a_hint():
    done = result("plugin", "check", "lapalce")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == "error: no plugin 'lapalce'; did you mean 'laplace'? (nbf plugin list lists them)\n"


# --- list


def test_list_says_who_provides_what_and_what_is_wrong(site):
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")}, "2.1")
    install(site, "bad-plugin", {"estimator.bad": "bad_mod"}, {"bad_mod": "import nothing_of_that_name\n"})
    install(site, "off-plugin", {"estimator.off": "off_mod"}, {"off_mod": estimator_module("Off", "off")})
    environment = {"site": site, "NBFRAMEWORK_BLOCK": "off-plugin"}
    listed = result("plugin", "list", "--others", **environment)
    assert listed.returncode == 0
    rows = [line.split() for line in listed.stdout.splitlines()[1:]]
    assert rows == [
        ["bad-plugin", "1.0", "estimator.bad", "bad_mod", "-", "fault"],
        ["good-plugin", "2.1", "estimator.okay", "okay_mod", "estimator", "okay", "ok"],
        ["off-plugin", "1.0", "estimator.off", "off_mod", "-", "blocked"],
    ]
    assert "warning: plugin bad-plugin 1.0 (estimator.bad): cannot be imported" in listed.stderr
    data = json.loads(result("plugin", "list", "--json", **environment).stdout)
    status = {plugin["entry point"]: plugin["status"] for plugin in data["plugins"]}
    assert status["estimator.laplace"] == "ok"
    assert (status["estimator.bad"], status["estimator.off"]) == ("fault", "blocked")


def test_list_names_both_providers_of_one_name(site):
    for name in ("one", "two"):
        module = f"{name}_mod"
        install(site, f"{name}-plugin", {"estimator.okay": module}, {module: estimator_module("O", "okay")})
    listed = result("plugin", "list", "--others", site=site)
    assert listed.returncode == 0
    assert "one-plugin 1.0 (estimator.okay) and two-plugin 1.0 (estimator.okay)" in listed.stderr
