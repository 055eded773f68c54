"""Naive Bayes over counts, such as the words of a text, as densities of numeric attributes."""
