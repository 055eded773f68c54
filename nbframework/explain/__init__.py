"""A prediction and its evidence, exactly."""

from nbframework.explain.evidence import Contribution, Explanation, explain
from nbframework.explain.importance import attribute_importance

__all__ = ["Contribution", "Explanation", "attribute_importance", "explain"]
