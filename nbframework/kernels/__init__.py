"""The inner loops: arrays in, arrays out; each has its NumPy definition and may have a compiled form.

The forms give the same numbers, those with exponentials, logarithms or sums of products to within 1e-12. Which one is
in use shows `implementation`; it loads with the first kernel that is used, so that asking costs no import of numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nbframework.kernels.availability import implementation

if TYPE_CHECKING:
    from nbframework.kernels.definitions import (
        arff_rows,
        best_classes,
        class_counts,
        class_moments,
        class_totals,
        column_cuts,
        conditional_likelihood_ascent,
        count_scores,
        csv_rows,
        entropy_cuts,
        gaussian_scores,
        group_scores,
        interval_codes,
        kappa_sums,
        log_posteriors,
        log_scores,
        nearest_rows,
        node_cuts,
        pair_counts,
        parent_sums,
        power_sums,
        smallest,
        squared_distances,
        threshold_scores,
        threshold_totals,
        tree_sums,
    )

__all__ = [
    "arff_rows",
    "best_classes",
    "class_counts",
    "class_moments",
    "class_totals",
    "column_cuts",
    "conditional_likelihood_ascent",
    "count_scores",
    "csv_rows",
    "entropy_cuts",
    "gaussian_scores",
    "group_scores",
    "implementation",
    "interval_codes",
    "kappa_sums",
    "log_posteriors",
    "log_scores",
    "nearest_rows",
    "node_cuts",
    "pair_counts",
    "parent_sums",
    "power_sums",
    "smallest",
    "squared_distances",
    "threshold_scores",
    "threshold_totals",
    "tree_sums",
]

_MODULE = {"compiled": "nbframework.kernels.compiled", "numpy": "nbframework.kernels.definitions"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    form = import_module(_MODULE[implementation()])
    kernel = getattr(form if hasattr(form, name) else import_module(_MODULE["numpy"]), name)
    globals()[name] = kernel
    return kernel
