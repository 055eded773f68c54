"""Posteriors that mean what they say: calibration of any classifier on inner folds."""
