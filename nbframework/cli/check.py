"""``nbf check``: recipe files without running them."""

import click

from nbframework.cli.console import note, print_json
from nbframework.errors import NBFrameworkError, RecipeError
from nbframework.plugins import installed
from nbframework.recipe import Recipe


@click.command("check", epilog="Example: nbf check my-recipe.yaml")
@click.argument("recipes", nargs=-1, required=True)
@click.option("--fair", is_flag=True, help="Look for what makes the comparison of a study unfair.")
@click.option("--data-dir", type=click.Path(), metavar="DIR", help="Where the data of a study are.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(recipes: tuple[str, ...], fair: bool, data_dir: str | None, as_json: bool) -> None:
    """Load RECIPES (names or files) and report every fault in them; with --fair they are studies."""
    if fair:
        check_fairness(recipes, data_dir, as_json)
        return
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


def check_fairness(studies: tuple[str, ...], data_dir: str | None, as_json: bool) -> None:
    """Print the findings about studies."""
    from nbframework.study.plan import plan_study
    from nbframework.study.study import load_study

    found = {name: plan_study(load_study(name), data_dir).findings for name in studies}
    if as_json:
        print_json([{"study": name, **vars(finding)} for name, several in found.items() for finding in several])
        return
    for name, several in found.items():
        for finding in several:
            click.echo(f"{name}: {finding}")
        note(f"{name}: {len(several)} findings")
