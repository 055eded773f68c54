"""``nbf explain`` as a table: odds, and rows as the file counts them."""

import json

import pytest

GAPS = "@relation gaps\n@attribute x {0,1}\n@attribute c {a,b}\n@data\n0,?\n?,a\n0,a\n1,b\n1,b\n"


def test_odds_are_against_the_predicted_class(nbf):
    result = nbf("explain", "sbc", "iris", "--row", "71", "--odds")
    assert result.code == 0
    assert "product             4.289e-09     0.00394          1" in result.out.splitlines()


@pytest.mark.parametrize("option", ["--json", "--html", "--importance"])
def test_odds_belong_to_the_table(nbf, option):
    result = nbf("explain", "sbc", "iris", "--odds", option)
    assert result.code == 2
    assert "--odds changes the table" in result.err


def test_the_rows_that_spoke_have_the_numbers_of_the_file(nbf, tmp_path):
    path = tmp_path / "gaps.arff"
    path.write_text(GAPS)
    # the first row has no class, the second is left out by the policy
    arguments = ("--row", "3", "--set", "missing=drop-rows", "--set", "neighbourhood.k=3", "--json")
    result = nbf("explain", "lwnb", str(path), *arguments)
    assert result.code == 0
    assert [near["row"] for near in json.loads(result.out)["neighbours"]] == [3, 4, 5]


@pytest.mark.parametrize("recipe", ["gaussian-nb", "kappa-60"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_importance_without_values_is_an_error(nbf, recipe, form):
    result = nbf("explain", recipe, "iris", "--importance", *form)
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith(f"error: {recipe} leaves every attribute numeric")
