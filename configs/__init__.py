"""Recipes, suites and studies as data."""
