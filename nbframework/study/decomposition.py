"""The protocol of bias-variance studies: a repeat is one result, with its error and the parts of it."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal

from nbframework.data.dataset import Dataset
from nbframework.evaluation.bias_variance import SMALL, BiasVarianceProtocol, Definition, decompose_predictions
from nbframework.evaluation.evaluate import Predictions
from nbframework.evaluation.folds import Split
from nbframework.evaluation.protocol import EvaluationProtocol

BIAS_VARIANCE: Literal["bias-variance"] = "bias-variance"
METRICS = ("error", "bias", "variance")
"""What is measured in place of the metrics of predictions; of all three less is better."""
DEFINITIONS: tuple[Definition, ...] = ("kohavi-wolpert", "weka", "domingos", "webb")
PARAMETERS = ("evaluation_share", "training_share", "samples", "repeats", "seed", "definition")


@dataclass(frozen=True)
class DecompositionProtocol(EvaluationProtocol):
    """Training sets drawn as `BiasVarianceProtocol` draws them, to part the error into bias and variance.

    Parameters
    ----------
    repeats
        Evaluation sets; 0 for 10 on data sets of fewer than 3,000 rows, and 1 on larger ones.
    evaluation_share, drawn_share, samples
        Share of the rows that are set aside, share of the other rows in a training set, training sets of a repeat;
        ``drawn_share`` is called training_share in study files and in `BiasVarianceProtocol`.
    definition
        See `nbframework.evaluation.bias_variance.decompose`.
    """

    kind: str = BIAS_VARIANCE
    repeats: int = 0
    evaluation_share: float = 0.3
    drawn_share: float = 0.5
    samples: int = 10
    definition: Definition = "kohavi-wolpert"

    def __post_init__(self) -> None:
        self._drawing()

    def _drawing(self) -> BiasVarianceProtocol:
        return BiasVarianceProtocol(
            self.evaluation_share, self.drawn_share, self.samples, self.repeats or None, self.seed
        )

    def splits(self, dataset: Dataset) -> list[Split]:
        """Return a split for each repeat and training set."""
        return self._drawing().splits(dataset)

    def parameters(self) -> dict[str, Any]:
        """Return the kind and the parameters, by their names in study files."""
        known = {field.name: getattr(self, field.name) for field in fields(self)} | {"training_share": self.drawn_share}
        return {"kind": self.kind, **{name: known[name] for name in PARAMETERS}}

    def described(self) -> str:
        """Return the protocol in words."""
        times = f"{self.repeats} times" if self.repeats else f"10 times (once from {SMALL} rows on)"
        return (
            f"bias and variance by {self.definition}, {times} {100 * self.evaluation_share:g} % of the rows set aside "
            f"and {self.samples} training sets of {100 * self.drawn_share:g} % of the others, seed {self.seed}"
        )

    def scores(self, dataset: Dataset, predictions: Iterable[Predictions]) -> dict[str, float | None]:
        """Return the error of one repeat and its parts, by the names of `METRICS`."""
        mean = decompose_predictions(dataset, list(predictions), self.definition).mean
        return {name: getattr(mean, name) for name in METRICS}
