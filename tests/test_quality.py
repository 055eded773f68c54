"""The linter and the type checker find nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.once import once

ROOT = Path(__file__).parents[1]


@once
@pytest.mark.parametrize(
    "command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]], ids=" ".join
)
def test_the_tool_finds_nothing(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_file_of_the_frame_or_a_plugin_is_longer_than_300_lines() -> None:
    sources = [*(ROOT / "nbframework").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]
    long = {path.name: count for path in sources if (count := len(path.read_text().splitlines())) > 300}
    assert long == {}
