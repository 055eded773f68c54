"""Every shipped recipe passes scikit-learn's own checks, except where what it is forbids it."""

import pytest
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from nbframework.plugins import installed
from nbframework.recipe.catalog import recipe_paths
from nbframework.sklearn import DiscretizerTransformer, EntropyMDLDiscretizer, RecipeClassifier

ROWS = "k counts rows, so that a row of weight 2 is not the row twice"
SHARES = "takes numbers as counts, whose shares tell little of blobs; scikit-learn excuses its own in the same way"
LEFT_OUT = "leaving out removes the whole row, so that a row of weight 2 is not the row twice"
WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
EXPECTED = {
    "majority": {"check_classifiers_train": "predicts the most frequent class whatever the attributes say"},
    "information-gain-nb": {"check_classifiers_train": "keeps half of the attributes, which here are two"},
    **{name: {"check_classifiers_train": SHARES} for name in ("multinomial-nb", "complement-nb")},
    "bernoulli-nb": {"check_classifiers_train": "asks only whether a number is above 0"},
    "tree-depth-nb": {WEIGHTS: "bagging draws rows, so that a row of weight 2 is not the row twice"},
    **{name: {WEIGHTS: LEFT_OUT} for name in ("backward-elimination-nb", "joined-forward", "kappa-tuned-fair")},
    **{name: {WEIGHTS: ROWS} for name in ("knn", "knn-fair", "knn-scaled", "knn-tuned")},
    **{name: {WEIGHTS: ROWS} for name in ("kcnn", "kcnn-fair", "kcnn-ensemble", "kcnn-ensemble-fair")},
}
"""The checks that a recipe fails, each with the reason."""


@parametrize_with_checks(
    [RecipeClassifier("sbc"), EntropyMDLDiscretizer(), DiscretizerTransformer("equal-width")],
)
def test_scikit_learns_own_check(estimator, check) -> None:
    check(estimator)


@pytest.mark.parametrize("name", sorted(recipe_paths(installed())))
@pytest.mark.filterwarnings("ignore")
def test_the_recipe_passes_all_checks_but_the_expected(name: str) -> None:
    found = check_estimator(RecipeClassifier(name), on_skip=None, on_fail=None)
    failed = {result["check_name"]: repr(result["exception"]) for result in found if result["status"] == "failed"}
    assert len(found) > 40
    assert failed.keys() == EXPECTED.get(name, {}).keys(), failed
