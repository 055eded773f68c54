"""``nbf show``: a recipe with every default."""

import click
import yaml

from nbframework.cli.console import print_json
from nbframework.cli.options import SET_HELP, load_recipe


@click.command("show", epilog="Example: nbf show sbc --set estimator.f=2")
@click.argument("recipe")
@click.option("--set", "assignments", multiple=True, metavar="PATH=VALUE", help=SET_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(recipe: str, assignments: tuple[str, ...], as_json: bool) -> None:
    """Print RECIPE (a name or a file) resolved, every default written out."""
    loaded = load_recipe(recipe, assignments)
    data = loaded.resolved()
    if as_json:
        print_json(data | {"identity": loaded.identity()})
    else:
        click.echo(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100), nl=False)
        click.echo(f"# identity {loaded.identity()}")
