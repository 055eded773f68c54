"""Parts composed into a classifier: fitting, posteriors, shared work between folds."""

from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.model import Classifier

__all__ = ["Classifier", "FittedClassifier"]
