"""What the project wants of each measurement: ratios against a peer or a limit, and amounts."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["times faster", "times at most", "at most"]
CATEGORICAL = "scikit-learn CategoricalNB"
WEKA = "Weka"
LIAC = "liac-arff"
READING = "reading the array"
DEFINITION = "NumPy definition"
OF_DENSITY = {
    "gaussian": "scikit-learn GaussianNB",
    "multinomial": "scikit-learn MultinomialNB",
    "complement": "scikit-learn ComplementNB",
    "bernoulli": "scikit-learn BernoulliNB",
}
"""The peer of each density."""
LIMITS = frozenset(
    {
        READING,
        "reading the bytes",
        "numpy.argsort",
        "one kappa",
        "one recipe",
        "one worker",
        "nbf evaluate, iris",
        "reading the batches",
    }
)
"""What a task is measured against that does less than the task: no rivals."""


@dataclass(frozen=True)
class Goal:
    """One bound.

    Parameters
    ----------
    subject, task, peer
        Whose measurement is bounded; the peer is empty for an amount.
    kind
        Times faster: peer / product is at least the bound. Times at most: product / peer is at most the bound.
        At most: the product's own figure, in its unit, is at most the bound.
    bound
        The number.
    step
        The step of the plan that sets it.
    """

    subject: str
    task: str
    peer: str
    kind: Kind
    bound: float
    step: int

    def ratio(self, product: float, peer: float | None) -> float:
        """Return what is compared with the bound."""
        if self.kind == "at most" or peer is None:
            return product
        return peer / product if self.kind == "times faster" else product / peer

    def met(self, product: float, peer: float | None) -> bool:
        """Whether figures of product and peer are within the bound."""
        ratio = self.ratio(product, peer)
        return ratio >= self.bound if self.kind == "times faster" else ratio <= self.bound

    def described(self, unit: str) -> str:
        """Return the bound as the table shows it; ``unit`` is that of an amount."""
        if self.kind == "at most":
            return f"<= {self.bound:g} {unit}"
        return f"{'>=' if self.kind == 'times faster' else '<='} {self.bound:g} x"


def _faster(subject: str, task: str, peer: str, bound: float, step: int) -> Goal:
    return Goal(subject, task, peer, "times faster", bound, step)


def _within(subject: str, task: str, peer: str, bound: float, step: int) -> Goal:
    return Goal(subject, task, peer, "times at most", bound, step)


def _below(subject: str, task: str, bound: float, step: int) -> Goal:
    return Goal(subject, task, "", "at most", bound, step)


GOALS = (
    _faster("count", "fit", CATEGORICAL, 100, 2),
    _faster("count", "fit", WEKA, 10, 2),
    _within("count", "fit", READING, 5, 9),
    _faster("count", "fit without compiled kernels", CATEGORICAL, 20, 2),
    _below("count", "extra memory of fit", 10, 2),
    _faster("score", "predict", CATEGORICAL, 20, 2),
    _faster("score", "predict_log_proba", CATEGORICAL, 20, 2),
    _below("score", "extra memory of scoring", 10, 2),
    *(
        _faster("densities", f"{task}, {density}", peer, 1, 9)
        for density, peer in OF_DENSITY.items()
        for task in ("fit", "predict", "predict_proba")
    ),
    _within("cuts", "entropy-mdl", "numpy.argsort", 2.5, 2),
    _faster("cuts", "entropy-mdl", DEFINITION, 10, 2),
    _faster("cuts", "entropy-mdl", WEKA, 30, 2),
    _faster("arff", "read, big", LIAC, 25, 2),
    _faster("arff", "read, big", WEKA, 3, 2),
    _faster("arff", "read, big", "pyarrow", 1.5, 2),
    _faster("arff", "read, small, with start-up", LIAC, 10, 2),
    _below("cross_validation", "10 x 10-fold", 3000, 2),
    _faster("cross_validation", "10 x 10-fold", "scikit-learn KBinsDiscretizer + CategoricalNB", 15, 2),
    _faster("cross_validation", "10 x 10-fold", "Weka, whole process", 6, 2),
    _faster("cross_validation", "10 x 10-fold", WEKA, 3.5, 2),
    _below("start_up", "nbf --help", 150, 2),
    _below("start_up", "nbf --version", 150, 2),
    _below("start_up", "nbf evaluate, iris", 600, 2),
    _below("start_up", "memory of nbf evaluate, iris", 60, 2),
    _faster("neighbours", "nearest 50, numeric", "scikit-learn brute force", 1.5, 3),
    _faster("neighbours", "nearest 50, nominal", "scikit-learn hamming", 5, 3),
    _faster("neighbours", "nearest 50, nominal", WEKA, 40, 3),
    _faster("neighbours", "nearest 50, mixed with missing", "scikit-learn nan_euclidean", 8, 3),
    _faster("neighbours", "nearest 50, mixed with missing", WEKA, 15, 3),
    _below("neighbours", "extra memory, numeric", 20, 3),
    _below("neighbours", "extra memory, nominal", 20, 3),
    _below("neighbours", "extra memory, mixed with missing", 20, 3),
    _faster("neighbours", "kappa, integer", "cdist and power", 5, 3),
    _faster("neighbours", "kappa, real", "cdist and power", 3, 3),
    _faster("neighbours", "kappa, grid of 100", "cdist and power", 100, 3),
    _within("neighbours", "kappa, grid of 100", "one kappa", 3, 3),
    _faster("structures", "pair counts", WEKA, 10, 4),
    _faster("structures", "pair counts", "one-hot matrix product", 5, 4),
    _below("structures", "memory of pair counts beyond the table", 5, 4),
    _faster("structures", "predict, AODE", WEKA, 8, 4),
    _faster("local", "LAWNB weights", "SciPy L-BFGS-B", 20, 3),
    _below("local", "objective below a tight solution", 1e-6, 3),
    _faster("local", "LAWNB, fit and predict a fold", "Weka LWL", 1, 3),
    _faster("trees", "fit, C4.5", "Weka J48", 1, 5),
    _below("studies", "a study of one recipe", 3000, 6),
    _within("studies", "a study of ten recipes", "one recipe", 3, 6),
    _below("studies", "a finished study again", 1000, 6),
    _faster("studies", "two workers", "one worker", 1.7, 6),
    _below("chunks", "memory of gaussian-nb", 1000, 9),
    _below("chunks", "memory of sbc", 1000, 9),
    _below("chunks", "memory of tan", 1000, 9),
)


def goal_of(subject: str, task: str, peer: str) -> Goal | None:
    """Return the goal of a comparison, if it has one."""
    for goal in GOALS:
        if (goal.subject, goal.task, goal.peer) == (subject, task, peer):
            return goal
    return None
