"""``nbf schema``: what editors check recipes against."""

import click

from nbframework.cli.console import print_json
from nbframework.plugins import installed
from nbframework.recipe.schema import recipe_schema


@click.command("schema", epilog="Example: nbf schema > recipe.schema.json")
def command() -> None:
    """Print the JSON Schema of recipe files, made from the installed parts (third-party ones included)."""
    print_json(recipe_schema(installed()))
