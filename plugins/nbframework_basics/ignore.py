"""Missing policy ignore: an unknown value says nothing."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from nbframework.authoring import (
    Codes,
    Counts,
    Dataset,
    FittedMissingPolicy,
    MissingPolicy,
    hookimpl,
    unseen_as_unknown,
    with_denominators,
)


@dataclass(frozen=True, kw_only=True)
class Ignore(MissingPolicy):
    """Leave the factor of an unknown value out of the product, which marginalises the attribute.

    Parameters
    ----------
    denominator
        Whether P(value | class) is relative to the rows of the class that know the attribute (exclude: Weka, Webb)
        or to all rows of the class (include: MLC++).
    cardinality
        The number of values k in smoothing: those declared, those observed in training, or those declared and one
        more where the training set has unknown values (with-unknown: MLC++).
    unseen
        Whether a value outside the training domain is smoothed like a count of zero, or skipped.

    References
    ----------
    Kohavi, Becker & Sommerfield (1997), Improving simple Bayes, section 2.3.
    """

    name: ClassVar[str] = "ignore"
    cite: ClassVar[str] = "Kohavi, Becker & Sommerfield 1997, section 2.3"
    learns: ClassVar[bool] = False
    denominator: Literal["exclude", "include"] = "exclude"
    cardinality: Literal["declared", "observed", "with-unknown"] = "declared"
    unseen: Literal["smooth", "skip"] = "smooth"

    def fit(self, training: Dataset) -> FittedMissingPolicy:
        """Return the policy at work; nothing is learned."""
        return FittedIgnore(self) if self.unseen == "smooth" else FittedIgnoreSkippingUnseen(self)


class FittedIgnore(FittedMissingPolicy):
    """The policy with its denominators."""

    def __init__(self, policy: Ignore) -> None:
        self.policy = policy

    def denominators(self, counts: Counts) -> Counts:
        """Return the counts with the policy's denominators and numbers of values."""
        if self.policy.denominator == "exclude" and self.policy.cardinality == "declared":
            return counts
        return with_denominators(counts, self.policy.denominator, self.policy.cardinality)


class FittedIgnoreSkippingUnseen(FittedIgnore):
    """The same, with unseen values left out like unknown ones."""

    def recode(self, codes: Codes) -> Codes:
        """Return the codes with unseen values made unknown."""
        return unseen_as_unknown(codes)


@hookimpl
def nbframework_missing_policies() -> list[type[MissingPolicy]]:
    """Register the policy."""
    return [Ignore]
