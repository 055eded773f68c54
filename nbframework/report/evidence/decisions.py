"""How a class is chosen from posteriors, as plain data."""

from typing import Any

from nbframework.classifier.fitted import FittedClassifier
from nbframework.report.evidence.asking import plain


def decision(fitted: FittedClassifier) -> dict[str, Any]:
    """Return the rules of a classifier: ties, costs, thresholds, and what answers where all classes are impossible."""
    rules, weight = fitted.rules, fitted.class_weight
    return {
        "ties": fitted.ties,
        "tolerance": fitted.tie_tolerance,
        "class_weight": plain(weight),
        "frequencies": plain(rules.frequencies(weight)),
        "given_priors": None if rules.class_priors is None else plain(rules.class_priors / rules.class_priors.sum()),
        "costs": None if rules.costs is None else plain(rules.costs),
        "log_thresholds": None if rules.log_thresholds is None else plain(rules.log_thresholds),
    }
