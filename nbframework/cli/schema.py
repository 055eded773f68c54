"""``nbf schema``: what editors check files against."""

import click

from nbframework.cli.console import print_json


@click.command("schema", epilog="Example: nbf schema --of study > study.schema.json")
@click.option(
    "--of", "kind", type=click.Choice(["recipe", "study", "suite"]), default="recipe", show_default=True, help="Files."
)
def command(kind: str) -> None:
    """Print the JSON Schema of recipe, study or suite files; recipes as the installed parts are, all of them."""
    if kind == "recipe":
        from nbframework.plugins import installed
        from nbframework.recipe.schema import recipe_schema

        print_json(recipe_schema(installed()))
        return
    from nbframework.study.json_schema import study_schema, suite_schema

    print_json(study_schema() if kind == "study" else suite_schema())
