"""The ``nbf`` command: one module for each verb, loaded when the verb is used."""

from nbframework.cli.main import main

__all__ = ["main"]
