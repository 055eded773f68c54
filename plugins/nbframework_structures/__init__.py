"""Dependence structures: Bayesian classifiers in which an attribute may depend on more than the class."""
