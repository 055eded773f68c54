"""The command group, its exit codes and its way with errors."""

import importlib
import os
import signal
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import click

from nbframework.errors import (
    DataError,
    DataWarning,
    EvaluationError,
    NBFrameworkError,
    PluginError,
    RecipeError,
    did_you_mean,
    system_reason,
)

VERBS = {
    "demo": "Compare recipes on the bundled data sets: start here.",
    "evaluate": "Cross-validate recipes on data sets.",
    "fit": "Fit a recipe and write a model file.",
    "predict": "Predict the classes of rows with a model file.",
    "bias-variance": "Take the error of recipes apart.",
    "diff": "List the rows on which two recipes disagree.",
    "explain": "Show the evidence for a prediction.",
    "refit": "Change the estimator of a model file without its data.",
    "export": "Write a model file as JSON or PMML.",
    "recipes": "List the recipes.",
    "show": "Print a recipe with every default.",
    "check": "Check recipe files.",
    "parts": "List the parts, or describe one.",
    "plugin": "Write, check or list plugins.",
    "schema": "Print the JSON Schema of recipes, studies or suites.",
    "data": "List, describe and fetch data sets.",
    "run": "Run a study.",
    "report": "Print the tables of a run.",
    "compare": "Say what is significant in results.",
    "reproduce": "Run printed tables and figures again.",
}
COMPUTING = frozenset({"demo", "evaluate", "fit", "predict", "bias-variance", "diff", "explain", "run", "reproduce"})
"""Verbs that make and free many arrays."""
EXIT_CODES = {RecipeError: 3, DataError: 3, EvaluationError: 3, PluginError: 4}


class LazyGroup(click.Group):
    """A group that imports a verb's module when the verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the help."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"nbframework.cli.{cmd_name.replace('-', '_')}").command
        if cmd_name in COMPUTING:
            from nbframework.evaluation.memory import keep_freed_memory

            keep_freed_memory()
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command, or fail with the nearest verb."""
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            hint = did_you_mean(args[0], VERBS)
            ctx.fail(f"no verb {args[0]!r}{hint} (verbs: {', '.join(VERBS)})")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from nbframework.cli.version import version_text

    click.echo(version_text())
    ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: nbf evaluate sbc weka-naive-bayes -d iris -d my-data.arff",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Version.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option("--strict", is_flag=True, help="Fail if any installed plugin has a fault.")
@click.pass_context
def group(ctx: click.Context, debug: bool, strict: bool) -> None:
    """Compose naive-Bayes classifiers from published parts, and compare them."""
    ctx.obj = {"debug": debug}
    if strict:
        from nbframework.plugins import installed

        installed().load_all(strict=True)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit.

    Exit codes: 0 success, 1 some tasks failed, 2 wrong usage, 3 recipe or data invalid, 4 plugin fault,
    130 interrupted.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    given = sys.argv[1:] if arguments is None else arguments
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", DataWarning)
            warnings.showwarning = partial(_show_warning, warnings.showwarning)
            code = group.main(args=given, prog_name="nbf", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except (NBFrameworkError, OSError) as error:
        if "--debug" in given:
            raise
        sys.exit(_report(error))
    except Exception as error:  # a user sees no traceback
        if "--debug" in given or os.environ.get("NBFRAMEWORK_DEBUG"):
            raise
        click.echo(f"error: unexpected {type(error).__name__}: {error} (nbf --debug shows where)", err=True)
        sys.exit(1)


def _show_warning(others: Callable[..., None], message: Warning | str, kind: type[Warning], *place: Any) -> None:
    """Print what is said of data as a note, and leave other warnings to those who print them."""
    if issubclass(kind, DataWarning):
        click.echo(f"note: {message}", err=True)
    else:
        others(message, kind, *place)


def _report(error: Exception) -> int:
    """Print an error on stderr and return its exit code."""
    text = str(error)
    if isinstance(error, OSError) and error.filename:
        text = f"{error.filename}: {system_reason(error)}"
    for line in text.splitlines():
        click.echo(f"error: {line}", err=True)
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), 3)
