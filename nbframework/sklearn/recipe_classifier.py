"""A recipe as a scikit-learn classifier, for pipelines, grid searches and DataFrames."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from nbframework.classifier import additive
from nbframework.classifier.decision import CLASS_KEYS
from nbframework.classifier.local import LocalModel
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import column_under
from nbframework.errors import NBFrameworkError, RecipeError
from nbframework.recipe import Recipe
from nbframework.recipe.layers import PART_KEYS, RULE_KEYS
from nbframework.sklearn.values import (
    adds_numbers,
    described_column,
    refuse_infinite,
    refuse_repeated,
    takes_counts,
    target_name,
)

FloatArray = NDArray[np.float64]


class RecipeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no type information
    """A recipe behind scikit-learn's interface.

    Columns of a DataFrame become attributes by their types: categorical and text columns nominal, booleans nominal,
    numbers numeric; NaN, None and NA are unknown. A plain array is numeric, its columns are called x0, x1, ...

    Parameters
    ----------
    recipe
        Name or path of a recipe, or a `Recipe`.
    random_state
        Seed of everything random.
    schema
        Attributes to use instead of those found in X: a mapping from column names to `Attribute`, such as
        ``{"colour": Attribute.nominal("colour", ["red", "blue"])}``. `partial_fit` needs it for columns that hold no
        numbers.
    **overrides
        Changes to the recipe, with ``__`` between the steps: ``estimator__f=2``, ``discretizer="equal-width"``; or
        all of them as ``overrides={...}``. Class priors, costs and thresholds name the labels as text.

    Attributes
    ----------
    classes_
        (C,) the sorted labels; the classes of the frame are called like them.
    fitted_
        The fitted classifier of the frame.
    """

    def __init__(
        self, recipe: Any = "gaussian-nb", *, random_state: int | None = None, schema: Any = None, **overrides: Any
    ) -> None:
        self.recipe = recipe
        self.random_state = random_state
        self.schema = schema
        for name, value in overrides.items():
            setattr(self, self._checked(name), value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002  # the signature is scikit-learn's
        """Return the parameters, those of the recipe that were set among them."""
        own = {name: getattr(self, name) for name in ("recipe", "random_state", "schema")}
        return own | {name: value for name, value in vars(self).items() if _is_override(name)}

    def set_params(self, **params: Any) -> "RecipeClassifier":
        """Set parameters; ``kind__parameter`` reaches every part."""
        for name, value in params.items():
            own = name in ("recipe", "random_state", "schema")
            setattr(self, name if own else self._checked(name), value)
        return self

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> "RecipeClassifier":
        """Fit on (n, a) rows, (n,) labels and (n,) row weights."""
        self._check_labels(X, y)
        labels = column_or_1d(y, warn=True)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        attributes, columns = self._described(X)
        seed = 0 if self.random_state is None else self.random_state
        self.fitted_ = self._loaded().build().fit(self._dataset(attributes, columns, codes, weights), seed=seed)
        self._rows = len(labels)
        self._learned_rows = np.arange(len(labels)) if weights is None else np.flatnonzero(weights > 0)
        return self

    @available_if(lambda self: self.schema is not None or self._answer(adds_numbers))  # type: ignore[untyped-decorator]  # scikit-learn has no types
    def partial_fit(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> "RecipeClassifier":
        """Fit on further rows, by adding their counts to those so far; the same as fitting all rows together.

        Which values there are cannot be learned from a part of the rows: every column that holds no numbers needs an
        attribute in ``schema``.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        classes
            All labels; needed the first time.

        Raises
        ------
        EvaluationError
            Where the recipe learns more than sums over rows, such as neighbours or trees, naming the part.
        ValueError
            On a label that is not among the classes, a value that is not declared, or a column without attribute.
        """
        first = not hasattr(self, "fitted_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        known = np.unique(column_or_1d(classes)) if classes is not None else self.classes_
        if not first and not np.array_equal(known, self.classes_):
            raise ValueError(f"classes={known.tolist()} are not those of the first call, {self.classes_.tolist()}")
        self._check_labels(X, y, reset=first)
        labels = column_or_1d(y, warn=True)
        codes = np.searchsorted(known, labels).clip(max=len(known) - 1)
        if (strange := np.unique(labels[known[codes] != labels])).size:
            raise ValueError(f"y holds the labels {strange.tolist()}, which are not among the classes {known.tolist()}")
        attributes, columns = self._described(X, reset=first)
        if unpinned := [a.name for a in attributes if not a.is_measured and a.name not in (self.schema or {})]:
            raise ValueError(f"partial_fit needs the schema of columns without numbers; there is none for {unpinned}")
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        self.classes_ = known
        dataset = self._dataset(attributes, columns, codes, weights)
        if first:
            self.fitted_ = additive.fitted_on_sums(self._loaded().build(), dataset)
        else:
            self.fitted_ = self.fitted_.partial_fit(dataset)
        return self

    def __getattr__(self, name: str) -> Any:
        # it is asked where there is no such attribute, so that scikit-learn sees none either
        if name == "partial_fit":
            message = (
                "this recipe does not add numbers; partial_fit needs an Attribute for every column: "
                'RecipeClassifier(..., schema={"column": ...})'
            )
            raise AttributeError(message, name=name, obj=self)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def neighbours(self, X: Any) -> Any:
        """Return how loudly each row of the last `fit` speaks for each row of X.

        Returns
        -------
        (q, n) sparse array of weights above 0, without the rows' own ``sample_weight``.

        Raises
        ------
        ValueError
            Where the recipe has no neighbourhood, or its missing policy drops rows.
        """
        from scipy.sparse import csr_array

        check_is_fitted(self)
        model = self.fitted_.model
        if not isinstance(model, LocalModel):
            raise ValueError("this recipe has no neighbourhood: what it learned is the same for every row of X")
        if len(model.training) != len(self._learned_rows):
            raise ValueError("this recipe's missing policy drops rows, so that neighbours have no numbers in X")
        near = model.neighbourhood.around(model.encoder.queries(self._queries(X)))
        weights = np.exp(near.log_weight)
        return csr_array((weights, self._learned_rows[near.row], near.start), shape=(len(near.start) - 1, self._rows))

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return (q, C) log posteriors, exact zeros as -inf."""
        check_is_fitted(self)
        return self.fitted_.predict_log_proba(self._queries(X))

    def predict_proba(self, X: Any) -> FloatArray:
        """Return (q, C) posteriors in the order of ``classes_``."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return (q,) labels."""
        log_posterior = self.predict_log_proba(X)
        return np.asarray(self.classes_[self.fitted_.predicted(log_posterior)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.positive_only = self._answer(takes_counts)
        return tags

    def _answer(self, question: Callable[[Recipe], bool]) -> bool:
        """Return what is so of the recipe."""
        if isinstance(self.recipe, Recipe):
            return question(self.recipe)
        return _named_answer(question, str(self.recipe), json.dumps(self._overrides(), sort_keys=True, default=repr))

    def _loaded(self) -> Recipe:
        overrides = {name.replace("__", "."): value for name, value in self._overrides().items()}
        if isinstance(self.recipe, Recipe):
            if overrides:
                raise RecipeError("overrides change a recipe that is named, not a Recipe object; build it as wanted")
            return self.recipe
        return Recipe.load(self.recipe, **overrides)

    def _overrides(self) -> dict[str, Any]:
        given = {name: value for name, value in vars(self).items() if _is_override(name)}
        together = given.pop("overrides", None) or {}
        if not isinstance(together, Mapping):
            raise RecipeError(f"overrides: found {together!r}, expected a mapping from paths to values")
        return {**together, **given}

    @staticmethod
    def _checked(name: str) -> str:
        if not _is_override(name):
            raise ValueError(
                f"Invalid parameter {name!r} for estimator RecipeClassifier: expected recipe, random_state, schema, "
                f"or a key of a recipe ({', '.join((*PART_KEYS, *RULE_KEYS, *CLASS_KEYS))}), with __parameter behind it"
            )
        return name

    def _dataset(
        self, attributes: list[Attribute], columns: list[Any], codes: NDArray[np.intp], weights: FloatArray | None
    ) -> Dataset:
        names = [str(label) for label in self.classes_.tolist()]
        if len(set(names)) < len(names):
            names = [str(code) for code in range(len(names))]
        target = Attribute.nominal(target_name(attributes), names)
        return Dataset.from_columns([*attributes, target], [*columns, codes], weights=weights)

    def _check_labels(self, X: Any, y: ArrayLike, reset: bool = True) -> None:
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        if hasattr(X, "columns"):
            self._check_names(X, reset)
        check_consistent_length(X, y)
        check_classification_targets(y)

    def _check_names(self, X: Any, reset: bool) -> None:
        refuse_repeated(X)
        validate_data(self, X=X, skip_check_array=True, reset=reset)

    def _numbers(self, X: Any, reset: bool) -> FloatArray:
        values = validate_data(self, X, dtype="numeric", ensure_all_finite="allow-nan", reset=reset)
        refuse_infinite(values)
        if self._answer(takes_counts) and np.nanmin(values, initial=0) < 0:
            raise ValueError("Negative values in data passed to RecipeClassifier, whose density takes counts.")
        return np.asarray(values)

    def _described(self, X: Any, reset: bool = True) -> tuple[list[Attribute], list[NDArray[Any]]]:
        if hasattr(X, "columns"):
            names, columns = X.columns, [X[name] for name in X.columns]
        else:
            columns = list(self._numbers(X, reset).T)
            names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(len(columns))])
        described = [
            described_column(str(name), column, self.schema or {}) for name, column in zip(names, columns, strict=True)
        ]
        return [attribute for attribute, _ in described], [column for _, column in described]

    def _queries(self, X: Any) -> Dataset:
        schema = self.fitted_.schema
        if hasattr(X, "columns"):
            self._check_names(X, reset=False)
            original = {str(name): name for name in X.columns}
            lacking = [attribute.name for attribute in schema.inputs if attribute.name not in original]
            if lacking:
                raise ValueError(f"X lacks the columns {lacking}, which the classifier was fitted with")
            columns = [column_under(attribute, X[original[attribute.name]]) for attribute in schema.inputs]
        else:
            values = self._numbers(X, reset=False).T
            columns = [column_under(attribute, column) for attribute, column in zip(schema.inputs, values, strict=True)]
        rows = len(columns[0]) if columns else len(X)
        target = np.full(rows, schema.class_attribute.unknown)
        return Dataset.from_columns(schema.attributes, [*columns, target])


@lru_cache(maxsize=128)
def _named_answer(question: Callable[[Recipe], bool], recipe: str, overrides: str) -> bool:
    """Remember the answer: scikit-learn asks for it in every step."""
    try:
        changes = {name.replace("__", "."): value for name, value in json.loads(overrides).items()}
        return question(Recipe.load(recipe, **changes))
    except NBFrameworkError:
        # what is wrong with it is said by fit
        return False


def _is_override(name: str) -> bool:
    first = name.partition("__")[0]
    return first in PART_KEYS or name in (*RULE_KEYS, *CLASS_KEYS, "overrides")
