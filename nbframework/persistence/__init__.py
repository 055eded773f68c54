"""Fitted classifiers in files that hold data only: no pickle, no code."""

from nbframework.persistence.model_file import Model, load_model, save_model

__all__ = ["Model", "load_model", "save_model"]
