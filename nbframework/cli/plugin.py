"""``nbf plugin``: for the authors of plugins."""

import importlib
from typing import Any

import click

from nbframework.errors import did_you_mean

VERBS = {
    "new": "Write a complete plugin with one part.",
    "check": "Check that parts keep their promises.",
    "list": "List the installed plugins and their faults.",
}


class PluginGroup(click.Group):
    """A group that imports a verb's module when the verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the help."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"nbframework.cli.plugin_{cmd_name}").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command, or fail with the nearest verb."""
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            ctx.fail(f"no verb {args[0]!r}{did_you_mean(args[0], VERBS)} (verbs: {', '.join(VERBS)})")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.group("plugin", cls=PluginGroup, epilog="Example: nbf plugin new discretizer three-way-split")
def command() -> None:
    """Write a plugin, check its promises, or list what is installed."""
