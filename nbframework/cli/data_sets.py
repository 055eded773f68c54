"""``nbf data get`` and ``nbf data list``: the data sets of suites, fetched and at hand."""

import sys
from pathlib import Path
from typing import Any

import click

from nbframework.cli.console import note, print_json, print_table, progress
from nbframework.errors import DataError
from nbframework.study.fetching import MIRROR_VARIABLE, chosen_sets, get_sets, is_there, target_folder
from nbframework.study.suite import SuiteSet, data_folders

_WHERE = "Folder of the data files; default NBFRAMEWORK_DATA, else the system's cache."


@click.command("get", epilog="Example: nbf data get kohavi1997")
@click.argument("names", nargs=-1, required=True)
@click.option("--data-dir", type=click.Path(file_okay=False), metavar="DIR", help=_WHERE)
@click.option(
    "--mirror",
    metavar="URL",
    envvar=MIRROR_VARIABLE,
    help=f"Takes the place of the host in every address; or a local folder. Or {MIRROR_VARIABLE}.",
)
@click.option("--replace", is_flag=True, help="Fetch files anew that are there with another checksum.")
def get(names: tuple[str, ...], data_dir: str | None, mirror: str | None, replace: bool) -> None:
    """Fetch the data sets of suites, or single data sets, from their public sources.

    A file that is there is not fetched again. Every file is judged by its checksum before it is put into its place.
    """
    sets, folder = chosen_sets(names), target_folder(data_dir)
    with progress() as report:
        outcomes = get_sets(sets, folder, mirror or "", replace, report)
    for outcome in outcomes:
        if outcome.state == "failed":
            note(f"error: {outcome.entry.name}: {outcome.reason}")
    counts = {state: sum(o.state == state for o in outcomes) for state in ("fetched", "there", "failed")}
    listed = [f"{counts['fetched']} fetched", f"{counts['there']} already there"]
    failed = [o.entry.name for o in outcomes if o.state == "failed"]
    if failed:
        listed.append(f"{len(failed)} failed ({', '.join(failed)})")
    click.echo(f"{folder}: {', '.join(listed)}")
    if failed:
        sys.exit(1)


@click.command("list", epilog="Example: nbf data list kappa2022")
@click.argument("names", nargs=-1)
@click.option("--data-dir", type=click.Path(), metavar="DIR", help=_WHERE)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_sets(names: tuple[str, ...], data_dir: str | None, as_json: bool) -> None:
    """List the data sets of suites (default: of all), whether their files are at hand, and how they are made.

    JSON tells the addresses and licences of the sources, too.
    """
    folders = data_folders(data_dir, None)
    rows = [_described(entry, folders) for entry in chosen_sets(names)]
    if as_json:
        print_json(rows)
        return
    shown = ("name", "file", "at_hand", "made")
    print_table(["data set", "file", "at hand", "made"], [[row[key] for key in shown] for row in rows], len(shown))
    click.echo(f"{sum(row['at_hand'] == 'yes' for row in rows)} of {len(rows)} at hand")


def _described(entry: SuiteSet, folders: list[Path]) -> dict[str, Any]:
    path = next((path for path in (folder / entry.file for folder in folders) if path.is_file()), None)
    return {
        "name": entry.name,
        "file": entry.file,
        "at_hand": "no" if path is None else _state(entry, path),
        "made": _made(entry),
        "sources": list(entry.source.urls) if entry.source else [],
        "licence": entry.source.licence if entry.source else "",
    }


def _made(entry: SuiteSet) -> str:
    if entry.source is None:
        return "generated" if entry.derivation else "no source"
    return "derived" if entry.derivation else "as its source"


def _state(entry: SuiteSet, path: Path) -> str:
    try:
        return "yes" if is_there(entry, path) else "no"
    except DataError:
        return "other checksum"
