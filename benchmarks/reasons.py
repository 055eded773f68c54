"""Why a goal is not met or a rival is faster, where the reason is known; the page gives it below the table."""

from collections.abc import Mapping

REASONS: Mapping[tuple[str, str, str], str] = {
    ("arff", "read, small, with start-up", "liac-arff"): (
        "importing NumPy alone takes about as long as the peer's whole run; without start-up the file is read more "
        "than ten times faster"
    ),
    ("count", "fit", "reading the array"): (
        "the bound is that of the kernel; around it the rows of known class are found and the classes weighed, which "
        "reads the classes a few times more"
    ),
    ("cuts", "entropy-mdl", "numpy.argsort"): (
        "the bound is that of the cut points, sort included; the fit also encodes and counts the million values"
    ),
    ("cuts", "entropy-mdl", "NumPy definition"): (
        "both forms sort with NumPy, which takes half of the kernel's time; the ratio was 9.9 to 10.6 in three runs"
    ),
    ("trees", "fit, C4.5", "Weka J48"): (
        "about as fast as the peer on this data set: 1.2 times faster in one run and 1.2 times as long in another"
    ),
    ("studies", "a study of ten recipes", "one recipe"): (
        "the ratio was 2.8 to 3.6 in five runs: the recipes share discretization and counts, their scores are their own"
    ),
    ("score", "predict", "scikit-learn CategoricalNB"): (
        "the goal is met by the kernel; without AVX-512 it takes two vectors from the first cache for each value, and "
        "the classes have still to be compared"
    ),
    ("score", "predict_log_proba", "scikit-learn CategoricalNB"): (
        "as for predict; the posteriors take a third of the time"
    ),
    ("neighbours", "nearest 50, numeric", "scikit-learn brute force"): (
        "the goal is met by the kernel; the ratio of the recipe was 1.49 to 1.9 in four runs"
    ),
    ("neighbours", "nearest 50, mixed with missing", "Weka"): (
        "vectors without AVX-512 are half as wide, and Weka's search is a loop over single numbers on any processor"
    ),
    ("structures", "pair counts", "Weka"): "without AVX-512 bits are counted in words of 64, not in vectors",
    ("structures", "predict, AODE", "Weka"): (
        "vectors without AVX-512 are half as wide, for the sums over the children as for the exponentials"
    ),
    ("neighbours", "kappa, grid of 100", "cdist and power"): (
        "the peer's powers are made with AVX-512 here, ten times as fast as without"
    ),
    ("studies", "two workers", "one worker"): (
        "the parent reads, plans and stores in one process, each worker has to start and to import, and side by side "
        "the same work takes a tenth more processor time"
    ),
}
"""By subject, task and peer (empty for an amount)."""
