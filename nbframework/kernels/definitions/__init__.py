"""What each kernel computes, in NumPy: the readable form, the oracle of the tests, and the fallback."""

from nbframework.kernels.definitions.arff import arff_rows
from nbframework.kernels.definitions.ascent import conditional_likelihood_ascent
from nbframework.kernels.definitions.counting import class_counts
from nbframework.kernels.definitions.csv_rows import csv_rows
from nbframework.kernels.definitions.cuts import column_cuts, entropy_cuts
from nbframework.kernels.definitions.densities import count_scores, gaussian_scores, threshold_scores
from nbframework.kernels.definitions.dependence import parent_sums
from nbframework.kernels.definitions.intervals import interval_codes
from nbframework.kernels.definitions.moments import class_moments, class_totals, threshold_totals
from nbframework.kernels.definitions.neighbours import (
    kappa_sums,
    nearest_rows,
    power_sums,
    smallest,
    squared_distances,
)
from nbframework.kernels.definitions.node_cuts import node_cuts
from nbframework.kernels.definitions.pairs import group_scores, pair_counts
from nbframework.kernels.definitions.posterior import best_classes, log_posteriors
from nbframework.kernels.definitions.scoring import log_scores
from nbframework.kernels.definitions.trees import tree_sums

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
