"""docs/studies.md: its commands run one after the other, and print what it shows."""

import re
import shlex
import subprocess
import sys

import pytest
from support.paths import ROOT

PAGE = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(language):
    return [text for found, text in BLOCK.findall(PAGE) if found == language]


def commands():
    """Return each command with the lines that are shown below it."""
    found = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What each command prints, the lines of both streams, in the order of the page."""
    folder = tmp_path_factory.mktemp("page")
    for text in blocks("yaml"):
        name = re.search(r"^study: (\S+)", text, re.MULTILINE)
        (folder / f"{name[1]}.yaml").write_text(text)
    outputs = []
    for command, _ in commands():
        words = shlex.split(command)
        assert words[0] == "nbf"
        process = [sys.executable, "-m", "nbframework", *words[1:]]
        done = subprocess.run(process, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        outputs.append([*done.stdout.splitlines(), *done.stderr.splitlines()])
    return outputs


@pytest.mark.parametrize("number", range(len(commands())))
def test_a_command_prints_what_the_page_shows(printed, number):
    for line in commands()[number][1]:
        start, left_out, _ = line.partition("...")
        assert any(found.startswith(start) if left_out else found == line for found in printed[number]), line


def test_the_page_names_every_key_and_protocol_of_study_files():
    from nbframework.study.protocols import KINDS
    from nbframework.study.study import KEYS, TESTS

    missing = [name for name in (*KEYS, *KINDS, *TESTS) if f"`{name}`" not in PAGE]
    assert missing == []
