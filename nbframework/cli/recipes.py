"""``nbf recipes``: what can be named."""

from pathlib import Path

import click

from nbframework.cli.console import print_json, print_table
from nbframework.plugins import installed
from nbframework.recipe.catalog import recipe_paths
from nbframework.recipe.nodes import plain
from nbframework.recipe.strict_yaml import load_file


@click.command("recipes", epilog="Example: nbf recipes --json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List the recipes with their citations."""
    rows = [_described(name, path) for name, path in sorted(recipe_paths(installed()).items())]
    if as_json:
        print_json(rows)
        return
    print_table(["recipe", "what it is", "from"], [[row["recipe"], row["title"], row["cite"]] for row in rows], 3)


def _described(name: str, path: Path) -> dict[str, str]:
    data = plain(load_file(path))
    return {"recipe": name, "title": str(data.get("title", "")), "cite": str(data.get("cite", ""))}
