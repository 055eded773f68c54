"""``nbf check``: recipes, studies and suites without running them."""

from typing import TYPE_CHECKING

import click

from nbframework.cli.console import note, print_json
from nbframework.errors import RecipeError

if TYPE_CHECKING:
    from nbframework.study.checking import Checked


@click.command("check", epilog="Example: nbf check my-recipe.yaml my-study.yaml --data-dir data")
@click.argument("files", nargs=-1, required=True)
@click.option("--fair", is_flag=True, help="Look for what makes the comparison of a study unfair.")
@click.option("--data-dir", type=click.Path(), metavar="DIR", help="Where the data of a study are.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(files: tuple[str, ...], fair: bool, data_dir: str | None, as_json: bool) -> None:
    """Load FILES (recipes, studies or suites, by file or name) and report every fault in them.

    Of a study the recipes are built, and its protocol is tried on those of its data sets that are there; nothing is
    fitted. With --fair all FILES are studies.
    """
    if fair:
        check_fairness(files, data_dir, as_json)
        return
    from nbframework.study.checking import check

    found = {name: check(name, data_dir) for name in files}
    if data_dir is not None and all(checked.kind != "study" for checked in found.values()):
        raise click.UsageError("--data-dir is for studies, and none is among the files")
    if as_json:
        print_json([_data(name, checked) for name, checked in found.items()])
    else:
        for name, checked in found.items():
            _tell(name, checked)
    faults = [fault for checked in found.values() for fault in checked.faults]
    if faults:
        raise RecipeError("\n".join(faults))


def _data(name: str, checked: "Checked") -> dict[str, object]:
    unchecked = {"unchecked": list(checked.unchecked)} if checked.kind == "study" else {}
    return {checked.kind: name, "faults": list(checked.faults), **unchecked}


def _tell(name: str, checked: "Checked") -> None:
    if not checked.faults:
        note(f"{name}: no fault")
    for text in checked.unchecked:
        note(f"{name}: not checked: {text}")


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
