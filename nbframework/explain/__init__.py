"""A prediction and its evidence, exactly."""

from nbframework.explain.contribution import Contribution
from nbframework.explain.evidence import Explanation, explain
from nbframework.explain.importance import attribute_importance

__all__ = ["Contribution", "Explanation", "attribute_importance", "explain"]
