"""The contract of dependence structures."""

import abc
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset
from nbframework.parts.base import Part
from nbframework.parts.density import Density
from nbframework.parts.estimator import Estimator
from nbframework.parts.rows import Rows, Training

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class FittedStructure(abc.ABC):
    """A structure with its probabilities.

    ``notes`` says what the user should know of the fit, such as a table that would not fit into memory.
    """

    notes: tuple[str, ...] = ()

    @abc.abstractmethod
    def log_joint(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return (q, C) log P(class, row), up to a constant for each row.

        Parameters
        ----------
        queries
            q rows.
        group
            (q,) group whose probabilities each row is asked of, where the structure was fitted on groups.
        """

    def log_terms(self, queries: Rows) -> tuple[tuple[str, ...], FloatArray] | None:
        """Return the labels of t terms and their logs (q, t, C), for a structure that is their sum; None for others.

        The log of the sum of the exponentials is `log_joint`. Asked of structures that were fitted without groups.
        """
        del queries
        return None


class FittedFactoredStructure(FittedStructure):
    """A structure whose joint probability is a prior times labelled factors, to which weights apply.

    ``labels`` names the f factors. Where they are the names of attributes, ``parents`` may say for each of them at
    which positions among the inputs the attributes stand whose values it looks at besides its own; empty where the
    structure says nothing of that.
    """

    labels: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...] = ()

    def in_factors(self, training: Training) -> Training | None:
        """Return the training rows with one nominal attribute for each factor, in the order of the factors.

        For a structure whose factors may be of several attributes together; None where ``labels`` names attributes.
        """
        del training
        return None

    @abc.abstractmethod
    def log_prior(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return (q, C) log prior."""

    @abc.abstractmethod
    def log_factors(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return (q, C, f) log factors; a factor that is left out is 0."""

    def log_joint(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the log prior plus the sum of the log factors, (q, C)."""
        return np.asarray(self.log_prior(queries, group) + self.log_factors(queries, group).sum(axis=-1))


@dataclass(frozen=True, kw_only=True)
class Structure(Part):
    """Decides which attributes each attribute depends on besides the class.

    ``factored`` says whether the fitted structure has factors, ``handles_groups`` whether `fit` takes a training
    set that is cut into groups (else the core fits group by group), ``handles_measured`` whether it takes
    attributes that stay numeric, ``reads`` what of the training set it looks at: only the class weights, only the
    counts, or the rows too.
    """

    kind: ClassVar[str] = "structure"
    factored: ClassVar[bool] = False
    handles_groups: ClassVar[bool] = False
    handles_measured: ClassVar[bool] = False
    reads: ClassVar[Literal["class weights", "counts", "rows"]] = "rows"

    @property
    def sufficient(self) -> Literal["class weights", "counts", "pairs", "rows"]:
        """What of the training set is enough to fit: what it reads, or the counts with those of all pairs of values.

        A structure that says "pairs" takes them from ``training.known_pairs`` where they are there; the training set
        then has no row.
        """
        return self.reads

    @property
    def reason_for_rows(self) -> str:
        """Why rows are needed where ``sufficient`` says so; override it where other parameters would need less."""
        return "looks at the rows themselves"

    def announced(self, schema: Dataset) -> tuple[str, ...]:
        """Return what the user should know before rows of this schema are fitted, such as a table that would not fit.

        Override it where that is known; the commands print it before they start.

        Parameters
        ----------
        schema
            The attributes; a discretizer may yet give numeric ones several values.
        """
        del schema
        return ()

    def with_factors_of(self, fitted: FittedStructure) -> "Structure":
        """Return the structure that has the factors of a fitted one, whatever rows it is fitted on.

        Leaving out one row at a time estimates the same factors anew. Override it where the ``labels`` depend on the
        rows.
        """
        del fitted
        return self

    @abc.abstractmethod
    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedStructure:
        """Fit the structure.

        Parameters
        ----------
        training
            ``training.counts`` has the class tables, with a leading axis for groups.
        estimator
            Its ``log_prior`` is the recipe's prior already.
        density
            For the attributes that stay numeric.
        """
