"""The contract of missing-value policies."""

import abc
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.data.codes import Codes
from nbframework.data.dataset import Dataset
from nbframework.errors import PluginError
from nbframework.parts.base import Part
from nbframework.statistics.counts import Counts

Denominator = Literal["exclude", "include"]
Cardinality = Literal["declared", "observed", "with-unknown"]


def with_denominators(counts: Counts, denominator: Denominator, cardinality: Cardinality) -> Counts:
    """Return the counts with the denominators and numbers of values that the published variants differ in.

    Parameters
    ----------
    counts
        Freshly counted.
    denominator
        exclude: P(value | class) is relative to the rows of the class that know the attribute (Weka); include: to all
        rows of the class (MLC++).
    cardinality
        declared: the declared values, or the intervals of a discretized attribute; observed: those that occur in the
        training set; with-unknown: the declared ones, and one more where the training set has unknown values (MLC++).
    """
    if denominator == "include":
        counts = replace(counts, known=np.repeat(counts.class_weight[..., np.newaxis], counts.known.shape[-1], axis=-1))
    occurs = np.asarray(~counts.training.is_zero.all(axis=-2))
    if cardinality == "observed":
        counts = replace(counts, cardinality=np.maximum(counts.sum_blocks(occurs.astype(np.float64)), 1.0))
    elif cardinality == "with-unknown":
        counts = replace(counts, cardinality=counts.cardinality + occurs[..., counts.unknown])
    return counts


def unknown_as_value(codes: Codes, chosen: NDArray[np.bool_], otherwise_unseen: bool = False) -> Codes:
    """Return the codes in which *unknown* is one more value of the chosen attributes.

    Parameters
    ----------
    codes
        c attributes.
    chosen
        (c,) mask.
    otherwise_unseen
        Whether the other attributes' unknown values become *unseen* instead of being left out.
    """
    mappings: list[NDArray[np.intp] | None] = []
    cardinality = []
    for size, is_value in zip(codes.cardinality, chosen.tolist(), strict=True):
        mapping = np.arange(size + 2)
        if is_value:
            mapping[size:] = size + 1, size
        elif otherwise_unseen:
            mapping[size + 1] = size
        mappings.append(mapping if is_value or otherwise_unseen else None)
        cardinality.append(size + int(is_value))
    return codes.recoded(mappings, cardinality)


def unseen_as_unknown(codes: Codes) -> Codes:
    """Return the codes in which values outside the training domain are left out like unknown ones."""
    mappings = [np.append(np.arange(size), [size + 1, size + 1]) for size in codes.cardinality]
    return codes.recoded(mappings, codes.cardinality)


class FittedMissingPolicy:
    """What a policy learned from the training rows; the base class changes nothing and divides by known rows.

    The order in which the core calls: `prepare_training` or `prepare`, then discretization, then `recode`, then
    counting, then `denominators`.
    """

    def prepare_training(self, dataset: Dataset) -> Dataset:
        """Return the training rows to learn from (rows dropped, values imputed)."""
        return dataset

    def prepare(self, dataset: Dataset) -> Dataset:
        """Return the same number of query rows, values imputed where the policy does so."""
        return dataset

    def recode(self, codes: Codes) -> Codes:
        """Return the codes with unknown or unseen values moved to where the policy wants them.

        Each attribute by itself, and each of its codes always to the same code, whatever the rows.
        """
        return codes

    def denominators(self, counts: Counts) -> Counts:
        """Return the counts with ``known`` and ``cardinality`` as the policy decides them."""
        return counts


@dataclass(frozen=True, kw_only=True)
class MissingPolicy(Part):
    """Decides what an unknown value means, in training, in a query and in the denominators.

    A policy that looks at no row in `fit` says ``learns = False``; its fitted form then serves all folds. One that
    looks only at which classes do not know an attribute says ``sufficient = "unknown"``, has `fit_unknown`, and changes
    no rows.
    """

    kind: ClassVar[str] = "missing"
    learns: ClassVar[bool] = True
    sufficient: ClassVar[Literal["unknown", "rows"]] = "rows"

    @abc.abstractmethod
    def fit(self, training: Dataset) -> FittedMissingPolicy:
        """Learn from training rows whose classes are known."""

    def fit_unknown(
        self, schema: Dataset, unknown: NDArray[np.float64], class_weight: NDArray[np.float64]
    ) -> FittedMissingPolicy:
        """Learn, as `fit` does from rows, from how many rows of each class do not know an input.

        Parameters
        ----------
        schema
            The attributes of the training rows, without rows.
        unknown
            (a, C) weight of the rows of each class that do not know an input.
        class_weight
            (C,) weight of all rows.

        Raises
        ------
        PluginError
            Where the policy says that these counts are ``sufficient``, and does not override this.
        """
        del schema, unknown, class_weight
        raise PluginError(f"missing policy {self.name!r} says that counts are sufficient, and has no fit_unknown")
