"""Generators of the artificial data sets of the literature."""
