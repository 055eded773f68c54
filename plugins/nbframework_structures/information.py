"""How much attributes tell about the class and about each other, in bits, from rows that know what is asked."""

import numpy as np

from nbframework.authoring import Counts, FloatArray
from nbframework_structures.parent_counts import ParentCounts

NOISE = 1e-12
"""Bits below which information is rounding error of an exact zero."""


def information_about_class(counts: Counts, negligible: float = 0.0) -> FloatArray:
    """Return the (a,) mutual informations I(A; C) of the relative frequencies.

    Parameters
    ----------
    counts
        (C, B) counts.
    negligible
        Terms are left out where P(c, x) or P(c) P(x) is below it.
    """
    of_class = counts.sum_blocks(counts.cells)
    total = _divisor(of_class.sum(axis=0))
    joint = counts.cells / counts.per_cell(total)
    product = counts.per_cell(of_class / total) * joint.sum(axis=0)
    return _settled(counts.sum_blocks(_terms(joint, joint, product, negligible)).sum(axis=0))


def conditional_information(parents: ParentCounts, negligible: float = 0.0) -> FloatArray:
    """Return the (a, a) conditional mutual informations I(A; B | C) of the relative frequencies; 0 on the diagonal.

    Parameters
    ----------
    parents
        The counts of the training set.
    negligible
        Terms are left out where P(c, x, y) P(c) or P(c, x) P(c, y) is below it.
    """
    attributes = len(parents.training.coded_inputs)
    information = np.zeros((attributes, attributes))
    for attribute in range(attributes - 1):
        row = _information_with(parents.raw(attribute), negligible)
        information[attribute, attribute + 1 :] = row[attribute + 1 :]
    return information + information.T


def _information_with(given: Counts, negligible: float) -> FloatArray:
    """Return the (a,) I(A; B | C) of all attributes A with the one whose values are the leading axis."""
    of_value = given.sum_blocks(given.cells)
    of_class = of_value.sum(axis=0)
    total = _divisor(of_class.sum(axis=0))
    joint = given.cells / given.per_cell(total)
    both = joint * given.per_cell(of_class / total)
    product = given.per_cell(of_value / total) * joint.sum(axis=0)
    return _settled(given.sum_blocks(_terms(joint, both, product, negligible)).sum(axis=(0, 1)))


def _terms(joint: FloatArray, numerator: FloatArray, denominator: FloatArray, negligible: float) -> FloatArray:
    """Return joint log2(numerator / denominator), 0 where either is 0 or negligible."""
    counted = (numerator > 0) & (denominator > 0) & (numerator >= negligible) & (denominator >= negligible)
    ratio = np.divide(numerator, denominator, out=np.ones_like(joint), where=counted)
    return np.asarray(joint * np.log2(ratio))


def _divisor(total: FloatArray) -> FloatArray:
    """Return the totals with 1 for 0: where nothing was counted, shares are 0."""
    return np.where(total > 0, total, 1.0)


def _settled(information: FloatArray) -> FloatArray:
    """Return 0 for what is 0 but for rounding; information is never negative."""
    return np.where(information > NOISE, information, 0.0)


def largest(numbers: FloatArray) -> int:
    """Return the first index of the largest number; numbers within rounding of it are tied with it."""
    return int(np.argmax(numbers >= numbers.max() - tolerance(numbers)))


def tolerance(numbers: FloatArray) -> float:
    """Return the difference below which informations are equal but for rounding."""
    finite = numbers[np.isfinite(numbers)]
    return 1e-10 * max(1.0, float(np.abs(finite).max())) if len(finite) else 0.0
