"""Pages whose console blocks are one session: the commands run in their order and print what the page shows."""

import contextlib
import io
import re
import shlex
import signal
from pathlib import Path

import pytest

from nbframework.cli import main

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: str, language: str) -> list[str]:
    return [text for found, text in BLOCK.findall(page) if found == language]


def commands(page: str) -> list[tuple[str, list[str]]]:
    """Return each command with the lines that are shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in "".join(blocks(page, "console")).splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


def write_files(page: str, folder: Path) -> None:
    """Write each YAML block, and each block that is an ARFF file, into the file that its first line names."""
    for text in blocks(page, "yaml"):
        if name := re.search(r"^(?:study|recipe): (\S+)", text, re.MULTILINE):
            (folder / f"{name[1]}.yaml").write_text(text)
    for text in blocks(page, "text"):
        if name := re.match(r"@relation (\S+)", text):
            (folder / f"{name[1]}.arff").write_text(text)


def run(page: str, folder: Path) -> list[list[str]]:
    """Return what each command prints in a folder with the page's files, the lines of both streams."""
    write_files(page, folder)
    with contextlib.chdir(folder):
        return [printed_by(command) for command, _ in commands(page)]


def printed_by(command: str) -> list[str]:
    """Return the lines of both streams; the command has to succeed, or be a diff that finds differences."""
    words = shlex.split(command)
    assert words[0] == "nbf"
    out, err, before = io.StringIO(), io.StringIO(), signal.getsignal(signal.SIGPIPE)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as stop:
            main(words[1:])
    finally:
        signal.signal(signal.SIGPIPE, before)
    assert stop.value.code == 0 or (words[1] == "diff" and stop.value.code == 1), f"{command}: {err.getvalue()}"
    return [*out.getvalue().splitlines(), *err.getvalue().splitlines()]


def assert_shown(shown: list[str], printed: list[str]) -> None:
    """Each line that the page shows was printed, as a whole or as far as its dots."""
    for line in shown:
        start, left_out, _ = line.partition("...")
        assert any(found.startswith(start) if left_out else found == line for found in printed), line
