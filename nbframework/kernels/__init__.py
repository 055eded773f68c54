"""The inner loops: arrays in, arrays out; each has its NumPy definition and may have a compiled form."""

from nbframework.kernels.definitions.counting import class_counts
from nbframework.kernels.definitions.cuts import entropy_cuts
from nbframework.kernels.definitions.scoring import log_scores

__all__ = ["class_counts", "entropy_cuts", "log_scores"]
