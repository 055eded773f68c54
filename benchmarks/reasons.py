"""Why a goal is not met, where the reason is known; the page gives it below the table."""

from collections.abc import Mapping

_VECTORS = (
    "the peer's libraries use AVX-512 throughout; on a processor without it (AMD EPYC) the same kernel was {} times "
    "faster than the peer"
)

REASONS: Mapping[tuple[str, str, str], str] = {
    ("arff", "read, small, with start-up", "liac-arff"): (
        "importing NumPy alone takes about as long as the peer's whole run; without start-up the file is read more "
        "than ten times faster"
    ),
    ("arff", "read, big", "liac-arff"): (
        "about a third of the time is no scanning: the copy out of the page cache, and one pass each to count lines "
        "and to look for letters beyond ASCII"
    ),
    ("cross_validation", "10 x 10-fold", "scikit-learn KBinsDiscretizer + CategoricalNB"): (
        "the folds are small, so that most of the time is the fixed cost of the calls for each of them"
    ),
    ("cross_validation", "10 x 10-fold", "Weka"): "as above, and the peer is warm: it has run the same folds before",
    ("cross_validation", "10 x 10-fold", "Weka, whole process"): "the command has the start of Python in it",
    ("neighbours", "kappa, integer", "cdist and power"): _VECTORS.format("9.8"),
    ("neighbours", "kappa, real", "cdist and power"): _VECTORS.format("5.9"),
    ("neighbours", "kappa, grid of 100", "cdist and power"): _VECTORS.format("54"),
    ("structures", "pair counts", "one-hot matrix product"): _VECTORS.format("6.0"),
    ("studies", "a study of one recipe", ""): (
        "a study first looks for copies, identifiers and coarse folds in its data, and keeps each result"
    ),
    ("studies", "a study of ten recipes", "one recipe"): "the fixed cost of a small fold is paid for each recipe",
}
"""By subject, task and peer (empty for an amount)."""
