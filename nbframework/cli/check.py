"""``nbf check``: recipe files without running them."""

import click

from nbframework.cli.console import note, print_json
from nbframework.errors import NBFrameworkError, RecipeError
from nbframework.plugins import installed
from nbframework.recipe import Recipe


@click.command("check", epilog="Example: nbf check my-recipe.yaml")
@click.argument("recipes", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(recipes: tuple[str, ...], as_json: bool) -> None:
    """Load RECIPES (names or files) and report every fault in them."""
    found: dict[str, list[str]] = {}
    for recipe in recipes:
        try:
            Recipe.load_with(installed(), recipe)
        except NBFrameworkError as error:
            found[recipe] = str(error).splitlines()
        else:
            found[recipe] = []
    if as_json:
        print_json([{"recipe": name, "faults": faults} for name, faults in found.items()])
    for name, faults in found.items():
        if not faults and not as_json:
            note(f"{name}: no fault")
    faults = [fault for several in found.values() for fault in several]
    if faults:
        raise RecipeError("\n".join(faults))
