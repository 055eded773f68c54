"""A recipe as a scikit-learn classifier, for pipelines, grid searches and DataFrames."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils import check_consistent_length
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import attribute_of, column_under
from nbframework.errors import RecipeError
from nbframework.recipe import Recipe
from nbframework.recipe.layers import PART_KEYS, RULE_KEYS

FloatArray = NDArray[np.float64]


class RecipeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no type information
    """A recipe behind scikit-learn's interface.

    Columns of a DataFrame become attributes by their types: categorical and text columns nominal, booleans nominal,
    numbers numeric; NaN, None and NA are unknown. A plain array is numeric.

    Parameters
    ----------
    recipe
        Name or path of a recipe, or a `Recipe`.
    random_state
        Seed of everything random.
    schema
        Attributes to use instead of those found in X: a mapping from column names to `Attribute`, such as
        ``{"colour": Attribute.nominal("colour", ["red", "blue"])}``.
    **overrides
        Changes to the recipe, with ``__`` between the steps: ``estimator__f=2``, ``discretizer="equal-width"``; or
        all of them as ``overrides={...}``.

    Attributes
    ----------
    classes_
        (C,) the sorted labels.
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
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        attributes, columns = self._described(X)
        target = Attribute.nominal(_target_name(attributes), [str(code) for code in range(len(self.classes_))])
        dataset = Dataset.from_columns([*attributes, target], [*columns, codes], weights=sample_weight)
        chosen = self._loaded()
        seed = 0 if self.random_state is None else self.random_state
        self.fitted_ = chosen.build().fit(dataset, seed=seed)
        return self

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
        return tags

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
                f"or a key of a recipe ({', '.join((*PART_KEYS, *RULE_KEYS))}), with __parameter behind it"
            )
        return name

    def _check_labels(self, X: Any, y: ArrayLike) -> None:
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        if hasattr(X, "columns"):
            validate_data(self, X=X, skip_check_array=True)
        check_consistent_length(X, y)
        check_classification_targets(y)

    def _described(self, X: Any) -> tuple[list[Attribute], list[NDArray[Any]]]:
        if hasattr(X, "columns"):
            pinned = self.schema or {}
            described = []
            for name in X.columns:
                attribute, column = attribute_of(str(name), X[name])
                if str(name) in pinned:
                    attribute = pinned[str(name)]
                    column = column_under(attribute, X[name])
                described.append((attribute, column))
            return [attribute for attribute, _ in described], [column for _, column in described]
        values = validate_data(self, X, dtype="numeric", ensure_all_finite="allow-nan")
        _refuse_infinite(values)
        names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(values.shape[1])])
        return [Attribute.numeric(str(name)) for name in names], [np.asarray(c, dtype=np.float64) for c in values.T]

    def _queries(self, X: Any) -> Dataset:
        schema = self.fitted_.schema
        if hasattr(X, "columns"):
            validate_data(self, X=X, skip_check_array=True, reset=False)
            original = {str(name): name for name in X.columns}
            lacking = [attribute.name for attribute in schema.inputs if attribute.name not in original]
            if lacking:
                raise ValueError(f"X lacks the columns {lacking}, which the classifier was fitted with")
            columns = [column_under(attribute, X[original[attribute.name]]) for attribute in schema.inputs]
        else:
            values = validate_data(self, X, dtype="numeric", ensure_all_finite="allow-nan", reset=False)
            _refuse_infinite(values)
            columns = [np.asarray(column, dtype=np.float64) for column in values.T]
        rows = len(columns[0]) if columns else len(X)
        target = np.full(rows, schema.class_attribute.unknown)
        return Dataset.from_columns(schema.attributes, [*columns, target])


class DiscretizerTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # see above
    """A discretizer as a transformer: numeric columns to interval numbers, NaN staying NaN.

    Parameters
    ----------
    discretizer
        As a recipe writes it: a name, or ``{"equal-width": {"bins": 5}}``.

    Attributes
    ----------
    cut_points_
        One ascending array for each column.
    """

    def __init__(self, discretizer: Any = "entropy-mdl") -> None:
        self.discretizer = discretizer

    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Any:
        """Learn the cut points of (n, a) values; supervised discretizers need (n,) labels."""
        from nbframework.classifier.encoding import cut_points

        values = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        _refuse_infinite(values)
        classes = np.zeros(len(values), dtype=np.intp)
        if y is not None:
            classes = np.unique(column_or_1d(y), return_inverse=True)[1]
        weights = np.ones(len(values))
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        self._part = Recipe.load("gaussian-nb", discretizer=self.discretizer).build().discretizer
        self.cut_points_ = []
        for column in values.T:
            order = np.argsort(column, kind="stable")
            order = order[~np.isnan(column[order]) & (weights[order] > 0)]
            self.cut_points_.append(cut_points(self._part, column[order], classes[order], weights[order]))
        return self

    def transform(self, X: Any) -> FloatArray:
        """Return (q, a) interval numbers from 0, NaN where the value is unknown."""
        check_is_fitted(self)
        values = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        _refuse_infinite(values)
        result = np.empty_like(values)
        for index, cuts in enumerate(self.cut_points_):
            result[:, index] = self._part.encode(values[:, index], cuts)
        result[np.isnan(values)] = np.nan
        return np.asarray(result)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the columns, unchanged."""
        from sklearn.utils.validation import _check_feature_names_in

        return np.asarray(_check_feature_names_in(self, input_features))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class EntropyMDLDiscretizer(DiscretizerTransformer):
    """Fayyad & Irani's (1993) discretization as a transformer; NaN stays NaN.

    Parameters
    ----------
    criterion
        fayyad-irani or kononenko.
    candidates
        rows or boundaries: how many candidate cuts the criterion counts.
    """

    def __init__(self, criterion: str = "fayyad-irani", candidates: str = "rows") -> None:
        self.criterion = criterion
        self.candidates = candidates

    @property
    def discretizer(self) -> Any:
        """The discretizer as a recipe writes it."""
        return {"entropy-mdl": {"criterion": self.criterion, "candidates": self.candidates}}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Any:
        """Learn the cut points of (n, a) values and (n,) labels."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        check_classification_targets(y)
        validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        return super().fit(X, y, sample_weight)


def _is_override(name: str) -> bool:
    first = name.partition("__")[0]
    return first in PART_KEYS or name in RULE_KEYS or name == "overrides"


def _refuse_infinite(values: FloatArray) -> None:
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")


def _target_name(attributes: list[Attribute]) -> str:
    taken = {attribute.name for attribute in attributes}
    name = "class"
    while name in taken:
        name += "_"
    return name
