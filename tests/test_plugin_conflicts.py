"""Two providers of one name, plugins that are blocked, and the order of installation."""

import pytest
from support.distributions import estimator_module, install, nbf, recipe_with, with_installed

from nbframework import PluginError
from nbframework.plugins import Plugins


@pytest.fixture
def two_providers(site):
    for name in ("one", "two"):
        module = f"{name}_mod"
        install(site, f"{name}-plugin", {"estimator.okay": module}, {module: estimator_module("O", "okay")})
    return site


def test_two_providers_of_a_name_are_an_error_when_it_is_used(two_providers, tmp_path):
    with pytest.raises(PluginError, match=r"one-plugin 1\.0 \(estimator\.okay\) and two-plugin 1\.0"):
        recipe_with(with_installed(), tmp_path, "okay")


def test_two_providers_disturb_no_other_recipe(two_providers, tmp_path):
    assert recipe_with(with_installed(), tmp_path, "laplace").estimator.name == "laplace"


def test_blocking_one_of_two_providers(two_providers):
    plugins = with_installed(blocked=("one-plugin",))
    assert plugins.find("estimator", "okay").provider == "two-plugin 1.0 (estimator.okay)"


def test_two_providers_on_the_command_line(two_providers):
    listed = nbf("parts", site=two_providers)
    assert listed.returncode == 4
    assert "one-plugin" in listed.stderr
    assert "two-plugin" in listed.stderr


@pytest.mark.parametrize("name", ["estimator.laplace", "laplace", "nbframework_basics.laplace"])
def test_a_part_may_be_blocked_by_any_of_its_names(name, tmp_path):
    plugins = with_installed(blocked=(name,))
    assert "laplace" not in plugins.names("estimator")
    with pytest.raises(PluginError, match="is blocked by NBFRAMEWORK_BLOCK"):
        recipe_with(plugins, tmp_path, "laplace")


def test_the_order_of_installation_decides_nothing(site):
    install(site, "good-plugin", {"estimator.okay": "okay_mod"}, {"okay_mod": estimator_module("Okay", "okay")})
    sources = with_installed().sources
    assert Plugins(reversed(sources)).sources == sources


def test_an_unknown_part_has_a_hint_and_the_known_ones():
    with pytest.raises(PluginError, match=r"no estimator 'laplac'; did you mean 'laplace'\? \(known: cestnik, "):
        with_installed().find("estimator", "laplac")


def test_a_kind_that_no_plugin_provides_says_none():
    with pytest.raises(PluginError, match=r"no distance 'x' \(known: none\)"):
        Plugins([]).find("distance", "x")
