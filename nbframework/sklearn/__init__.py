"""Recipes and discretizers behind scikit-learn's interfaces, for pipelines, grid searches and DataFrames."""

from nbframework.sklearn.discretizers import DiscretizerTransformer, EntropyMDLDiscretizer
from nbframework.sklearn.recipe_classifier import RecipeClassifier

__all__ = ["DiscretizerTransformer", "EntropyMDLDiscretizer", "RecipeClassifier"]
