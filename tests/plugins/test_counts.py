"""Naive Bayes over counts: by hand, and as scikit-learn has it."""

import numpy as np
import pytest
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

from nbframework import Attribute, Dataset, EvaluationError, Recipe
from nbframework_counts.bernoulli import Bernoulli
from nbframework_counts.complement import Complement
from nbframework_counts.multinomial import Multinomial

RANDOM = np.random.default_rng(4)
COUNTS = RANDOM.poisson(RANDOM.gamma(1.0, 2.0, (3, 8))[np.arange(90) % 3]).astype(float)
CLASSES = np.arange(90) % 3
WEIGHTS = RANDOM.integers(1, 4, 90).astype(float)
# three words, two documents of class a and one of class b
WORDS = np.array([[2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 3.0]])
LABELS = np.array([0, 0, 1])


def documents(counts: np.ndarray, classes: np.ndarray, weights: np.ndarray | None = None) -> Dataset:
    attributes = [Attribute.numeric(f"w{j}") for j in range(counts.shape[1])]
    target = Attribute.nominal("class", [str(c) for c in range(int(classes.max()) + 1)])
    return Dataset.from_columns([*attributes, target], [*counts.T, classes], weights=weights)


def fitted(density, counts=WORDS, classes=LABELS, weights=None):
    recipe = Recipe.from_text("recipe: t\nprior: frequency\n")
    together = Recipe(density=density, prior=recipe.prior)
    return together.build().fit(documents(counts, classes, weights))


def test_multinomial_by_hand() -> None:
    query = documents(np.array([[1.0, 0.0, 2.0]]), np.array([1]))
    # a: (3 + 1) / 7, (1 + 1) / 7, (0 + 1) / 7; b: 1 / 7, 2 / 7, 4 / 7
    joint = np.array([2 / 3 * 4 / 7 * (1 / 7) ** 2, 1 / 3 * 1 / 7 * (4 / 7) ** 2])
    np.testing.assert_allclose(fitted(Multinomial()).predict_proba(query)[0], joint / joint.sum(), atol=1e-14)


def test_bernoulli_by_hand() -> None:
    query = documents(np.array([[5.0, 0.0, 2.0]]), np.array([1]))
    # of two documents of a: 2, 1, 0 have the words; of one of b: 0, 1, 1
    joint = np.array([2 / 3 * 3 / 4 * (1 - 2 / 4) * 1 / 4, 1 / 3 * 1 / 3 * (1 - 2 / 3) * 2 / 3])
    np.testing.assert_allclose(fitted(Bernoulli()).predict_proba(query)[0], joint / joint.sum(), atol=1e-14)


def test_complement_by_hand() -> None:
    query = documents(np.array([[1.0, 0.0, 2.0]]), np.array([1]))
    # the complement of a is b: 1 / 7, 2 / 7, 4 / 7; that of b is a: 4 / 7, 2 / 7, 1 / 7
    joint = np.array([2 / 3 / (1 / 7 * (4 / 7) ** 2), 1 / 3 / (4 / 7 * (1 / 7) ** 2)])
    np.testing.assert_allclose(fitted(Complement()).predict_proba(query)[0], joint / joint.sum(), atol=1e-14)


@pytest.mark.parametrize("alpha", [1.0, 0.3])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["alike", "weighted"])
@pytest.mark.parametrize(
    ("mine", "theirs"), [(Multinomial, MultinomialNB), (Bernoulli, BernoulliNB)], ids=["multinomial", "bernoulli"]
)
def test_posteriors_equal_those_of_scikit_learn(mine, theirs, alpha: float, weights) -> None:
    found = fitted(mine(alpha=alpha), COUNTS, CLASSES, weights).predict_proba(documents(COUNTS, CLASSES))
    expected = theirs(alpha=alpha).fit(COUNTS, CLASSES, sample_weight=weights).predict_proba(COUNTS)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("normalized", [False, True])
def test_complement_equals_scikit_learn_where_the_prior_tells_nothing(normalized: bool) -> None:
    found = fitted(Complement(normalized=normalized), COUNTS, CLASSES).predict_proba(documents(COUNTS, CLASSES))
    # scikit-learn leaves the prior out; here there are as many rows of each class
    expected = ComplementNB(norm=normalized).fit(COUNTS, CLASSES).predict_proba(COUNTS)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_an_attribute_without_units_costs_nothing_where_nothing_is_smoothed() -> None:
    query = documents(np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]), np.array([0, 1]))
    posterior = fitted(Multinomial(alpha=0)).predict_proba(query)
    np.testing.assert_allclose(posterior[0], [1, 0], atol=1e-15)
    # impossible in both classes: the class frequencies
    np.testing.assert_allclose(posterior[1], [2 / 3, 1 / 3], atol=1e-15)


def test_an_unknown_count_is_left_out() -> None:
    query = documents(np.array([[1.0, np.nan, 2.0], [1.0, 0.0, 2.0]]), np.array([0, 1]))
    posterior = fitted(Multinomial()).predict_proba(query)
    np.testing.assert_allclose(posterior[0], posterior[1], atol=1e-15)


@pytest.mark.parametrize("part", [Multinomial(), Complement()], ids=["multinomial", "complement"])
def test_a_count_below_zero_is_refused_with_the_attribute(part) -> None:
    bad = WORDS.copy()
    bad[1, 2] = -3
    with pytest.raises(EvaluationError, match=r"attribute 'w2' has the value -3, and density '\w+' takes numbers of"):
        fitted(part, bad)
    with pytest.raises(EvaluationError, match="row 2: found -3, expected counts of at least 0"):
        fitted(part).predict_proba(documents(bad, LABELS))


@pytest.mark.parametrize("part", [Multinomial(), Complement(), Bernoulli()], ids=lambda part: part.name)
def test_groups_are_fitted_apart(part) -> None:
    start = np.array([0, 40, 90])
    together = part.fit(COUNTS, CLASSES, 3, WEIGHTS, start).log_density(COUNTS, np.arange(90) // 45)
    for group, rows in enumerate((slice(0, 40), slice(40, 90))):
        alone = part.fit(COUNTS[rows], CLASSES[rows], 3, WEIGHTS[rows]).log_density(COUNTS)
        asked = np.arange(90) // 45 == group
        np.testing.assert_allclose(together[asked], alone[asked], atol=1e-12)
