"""Discretizers as scikit-learn's transformers."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from nbframework.recipe import Recipe
from nbframework.sklearn.values import refuse_infinite

FloatArray = NDArray[np.float64]


class DiscretizerTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no type information
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
        refuse_infinite(values)
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
        refuse_infinite(values)
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
