"""Weka's IBk: k chosen by leave-one-out (-X), and neighbours that are the louder the nearer (-I, -F)."""

import numpy as np
import pytest
from support.builders import posteriors, table
from support.golden import Golden
from support.paths import SHARED, absent
from support.weka_iris import weka_iris

from nbframework import Recipe, read_arff

ORACLE = SHARED / "oracle"
NAMES = sorted(path.name for path in ORACLE.glob("*") if path.is_dir()) or ["absent"]
WEKA_ROWS = {
    "inverse": {
        14: [9.664554975398906e-5, 0.28486174450757207, 0.7150416099426741],
        17: [1.281548367701817e-4, 0.8421374937717719, 0.1577343513914579],
    },
    "similarity": {
        14: [0.0017659473285135915, 0.3911409746664318, 0.6070930780050547],
        17: [0.0018033152717163471, 0.8008943714298792, 0.19730231329840459],
    },
}
"""What Weka 3.6.14 says of two of every fifth row of iris after the others, with -K 5 and -I or -F."""


@pytest.mark.skipif(not ORACLE.is_dir(), reason=absent("oracle"))
@pytest.mark.parametrize("name", NAMES)
def test_k_by_leave_one_out_gives_the_probabilities_of_weka(name):
    golden = Golden(ORACLE / name, read_arff(SHARED / "datasets" / f"{name}.arff"))
    golden.check_probabilities("ibk10x_disc", Recipe.load("weka-ibk-x"), 1e-9)


@pytest.mark.parametrize("weighting", WEKA_ROWS)
def test_weightings_give_the_probabilities_of_weka(weighting):
    iris, rows = weka_iris(), np.arange(150)
    recipe = Recipe.load("weka-ibk", **{"neighbourhood.k": 5, "neighbourhood.weighting": weighting})
    found = posteriors(recipe, iris.take(rows % 5 != 0), iris.take(rows % 5 == 0))
    for row, expected in WEKA_ROWS[weighting].items():
        np.testing.assert_allclose(found[row], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("weighting", "weight"), [("inverse", lambda e: 1 / (e + 0.001)), ("similarity", lambda e: max(0, 1 - e))]
)
def test_weightings_by_their_formula(weighting, weight):
    """One attribute from 0 to 10: the query 2 is 0.1, 0.2 and 0.6 away from its neighbours."""
    training = table("x numeric; class {a,b}", "0 a; 1 b; 8 a; 10 b")
    recipe = Recipe.load("knn-scaled", **{"neighbourhood.k": 3, "neighbourhood.weighting": weighting})
    found = posteriors(recipe, training, table("x numeric; class {a,b}", "2 a"))
    a, b = weight(0.2) + weight(0.6), weight(0.1)
    np.testing.assert_allclose(found, [[a / (a + b), b / (a + b)]], rtol=1e-12)


def test_a_row_beyond_the_scale_is_not_similar_at_all():
    training = table("x numeric; class {a,b}", "0 a; 1 b")
    recipe = Recipe.load("knn-scaled", **{"neighbourhood.k": 2, "neighbourhood.weighting": "similarity"})
    found = posteriors(recipe, training, table("x numeric; class {a,b}", "1.5 a; 9 a"))
    np.testing.assert_allclose(found, [[0, 1], [0.5, 0.5]], rtol=1e-12)
