"""Recipes: strict YAML that names one part for each kind; the only place where names become objects."""

from nbframework.recipe.recipe import Recipe

__all__ = ["Recipe"]
