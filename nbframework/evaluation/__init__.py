"""Judging classifiers: folds, metrics, evaluation."""
