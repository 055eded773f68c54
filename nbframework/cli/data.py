"""``nbf data``: what is at hand, what is in a file, and the way to the data sets of suites."""

import click
import numpy as np

from nbframework.cli.console import print_json, print_table
from nbframework.cli.data_sets import get, list_sets
from nbframework.data.catalog import bundled_names, find_dataset
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import read_table


class DataGroup(click.Group):
    """A group whose first word may be a data set, too, which is then described."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the word ``describe`` before anything that is no command."""
        known = (*self.commands, *ctx.help_option_names)
        return super().parse_args(ctx, args if args and args[0] in known else ["describe", *args])


@click.group("data", cls=DataGroup, epilog="Example: nbf data iris; nbf data get kappa2022")
def command() -> None:
    """List the bundled data sets, describe data sets, and fetch those of suites."""


@command.command("describe", epilog="Example: nbf data iris")
@click.argument("names", nargs=-1)
@click.option("--class", "class_attribute", metavar="NAME", help="The class attribute; default the last one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def describe(names: tuple[str, ...], class_attribute: str | None, as_json: bool) -> None:
    """List the bundled data sets, or describe NAMES (files or bundled data sets) attribute by attribute."""
    sets = {name: read_table(find_dataset(name), class_attribute) for name in names or bundled_names()}
    if as_json:
        print_json([_summary(name, dataset) | {"attributes": _attributes(dataset)} for name, dataset in sets.items()])
        return
    summaries = [_summary(name, dataset) for name, dataset in sets.items()]
    print_table(
        ["data", "rows", "numeric", "nominal", "classes", "unknown"],
        [[str(summary[key]) for key in summary] for summary in summaries],
    )
    for name, dataset in sets.items():
        if names:
            click.echo(f"\n{name}")
            rows = [[str(a[key]) for key in ("name", "kind", "unknown", "values")] for a in _attributes(dataset)]
            print_table(["attribute", "kind", "unknown", "values"], rows, 4)


command.add_command(get)
command.add_command(list_sets)


def _summary(name: str, dataset: Dataset) -> dict[str, str | int]:
    unknown = sum(int(dataset.unknown(index).sum()) for index in dataset.input_indexes)
    return {
        "data": name,
        "rows": len(dataset),
        "numeric": sum(attribute.is_measured for attribute in dataset.inputs),
        "nominal": sum(attribute.is_nominal for attribute in dataset.inputs),
        "classes": dataset.class_attribute.cardinality,
        "unknown": unknown,
    }


def _attributes(dataset: Dataset) -> list[dict[str, str | int]]:
    described: list[dict[str, str | int]] = []
    for index, attribute in enumerate(dataset.attributes):
        unknown = dataset.unknown(index)
        if attribute.is_nominal:
            counts = np.bincount(dataset.columns[index], minlength=attribute.cardinality)
            values = ", ".join(f"{v} {counts[code]}" for code, v in enumerate(attribute.values or ()))
        elif attribute.is_measured and not unknown.all():
            column = dataset.columns[index][~unknown]
            values = f"{column.min():g} to {column.max():g}, mean {column.mean():.6g}"
        else:
            values = "-"
        kind = attribute.kind + (" (class)" if index == dataset.class_index else "")
        described.append({"name": attribute.name, "kind": kind, "unknown": int(unknown.sum()), "values": values})
    return described
