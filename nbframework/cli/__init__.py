"""The ``nbf`` command: one module for each verb, loaded when the verb is used."""

import sys
from typing import NoReturn

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit with its code; see `nbframework.cli.group`.

    An interrupt ends it with 130, also while the command is being loaded.
    """
    try:
        from nbframework.cli.group import main as run

        run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
