"""The log posterior of one row as a sum: prior, and what each factor contributes to each class."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import FittedClassifier
from nbframework.data.alignment import aligned
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.explain.changes import Change, smallest_change
from nbframework.explain.contribution import Contribution
from nbframework.explain.pieces import pieces_of
from nbframework.parts.classifier import Reasoned

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Explanation:
    """One prediction with its evidence.

    Parameters
    ----------
    class_values
        The C declared classes.
    predicted
        Code of the predicted class.
    log_posterior
        (C,) log posterior.
    log_joint
        (C,) log P(class, row), up to a constant.
    log_prior
        (C,) log prior, or log share of the votes where `votes` says so; None where the structure is no product of
        factors.
    contributions
        The factors; their contributions and the log prior sum to ``log_joint``. Empty where the structure is no
        product.
    without
        For each attribute its name and the (C,) log posterior when its value is unknown.
    neighbours
        (row, weight) of the training rows that spoke, heaviest first; None where all rows did. Rows are counted from 0
        among those of known class and positive weight. Weights of a mere vote are shares of the heaviest.
    change
        The smallest change found that changes the prediction, or None.
    smoothing
        The formulas of the estimator by what they give, ``conditional`` and ``prior``, as far as it declares them and
        they give the numbers shown: ``conditional`` is absent where no factor has its form.
    terms
        For a sum over parents, such as AODE's: the name of each and the (C,) log of its term, in nats; the log of the
        sum of their exponentials is ``log_joint``. Empty for other structures.
    reasons
        What the prediction rests on, in words, as far as a whole classifier tells.
    letters
        What the letters of the formulas of ``smoothing`` are, such as "k values of the attribute".
    exceptions
        The labels of factors with counts of which the estimator's formula does not give the probability.
    structure
        What those are instead, as far as the structure says so; empty without exceptions.
    votes
        Whether nothing but the votes of the neighbours counts.
    """

    class_values: tuple[str, ...]
    predicted: int
    log_posterior: FloatArray
    log_joint: FloatArray
    log_prior: FloatArray | None
    contributions: tuple[Contribution, ...]
    without: tuple[tuple[str, FloatArray], ...]
    neighbours: tuple[tuple[int, float], ...] | None
    change: Change | None
    smoothing: Mapping[str, str]
    terms: tuple[tuple[str, FloatArray], ...] = ()
    reasons: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    structure: str = ""
    votes: bool = False

    @property
    def posterior(self) -> FloatArray:
        """(C,) posterior."""
        return np.exp(self.log_posterior)

    def odds(self, nats: FloatArray) -> FloatArray:
        """(C,) what nats by class do to the odds of each class against the predicted one, as a factor.

        The prior's odds times those of all contributions are the posterior odds; NaN where both classes are excluded.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(np.exp(nats - nats[self.predicted]))

    def _repr_html_(self) -> str:
        from nbframework.explain.rendering import as_html

        return as_html(self)

    def __str__(self) -> str:
        from nbframework.explain.rendering import as_text

        return as_text(self)


def explain(fitted: FittedClassifier, dataset: Dataset, row: int = 0, changes: bool = True) -> Explanation:
    """Return the evidence for the prediction of one row.

    Parameters
    ----------
    fitted
        The classifier.
    dataset
        Holds the row; attributes and values are matched by name.
    row
        Its index, from 0.
    changes
        Whether to search for the smallest change of the prediction.

    Raises
    ------
    EvaluationError
        Where there is no such row.
    """
    if not 0 <= row < len(dataset):
        raise EvaluationError(f"row {row + 1}: the data have {len(dataset)} rows")
    query = aligned(dataset.take([row]), fitted.schema).dataset
    log_joint = fitted.rules.shifted(fitted.model.log_joint(query))
    log_posterior = fitted.predict_log_proba(query)
    predicted = int(fitted.predicted(log_posterior)[0])
    pieces = pieces_of(fitted, query)
    return Explanation(
        fitted.class_values,
        predicted,
        log_posterior[0],
        log_joint[0],
        None if pieces.prior is None else fitted.rules.shifted(pieces.prior),
        pieces.contributions,
        tuple(_without_each(fitted, query)),
        pieces.neighbours,
        smallest_change(fitted, query) if changes else None,
        pieces.smoothing,
        tuple((label, fitted.rules.shifted(term[np.newaxis])[0]) for label, term in pieces.terms),
        fitted.model.reasons(query) if isinstance(fitted.model, Reasoned) else (),
        pieces.letters,
        pieces.exceptions,
        pieces.structure,
        pieces.votes,
    )


def _without_each(fitted: FittedClassifier, query: Dataset) -> list[tuple[str, FloatArray]]:
    """Return the log posterior without each attribute: its value made unknown."""
    result = []
    for index in query.input_indexes:
        attribute, columns = query.attributes[index], list(query.columns)
        columns[index] = np.full(1, attribute.unknown if attribute.is_nominal else np.nan)
        blank = Dataset.from_columns(query.attributes, columns, query.class_attribute.name)
        result.append((attribute.name, fitted.predict_log_proba(blank)[0]))
    return result
