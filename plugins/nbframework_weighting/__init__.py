"""Attribute weights for naive Bayes: filters, wrappers, and weights learned by optimisation."""
