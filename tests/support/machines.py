"""Fresh environments outside the checkout, as a stranger has them."""

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

OFFLINE = re.compile(r"dns error|error sending request|network connectivity|Connection refused|timed out", re.I)


@dataclass(frozen=True)
class Machine:
    """An environment with its own Python, and a folder to work in.

    Parameters
    ----------
    environment
        The virtual environment.
    folder
        Where its commands run.
    """

    environment: Path
    folder: Path

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, seeing nothing of the checkout."""
        place = self.environment / "bin"
        clean = {"PATH": f"{place}:/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}
        return subprocess.run(
            [str(place / program), *arguments], cwd=self.folder, env=clean, capture_output=True, text=True, check=False
        )


@contextlib.contextmanager
def made_once(folder: Path) -> Iterator[bool]:
    """Say whether the folder has to be filled; workers of one test run that want the same one wait for each other."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ready = folder / "ready"
        yield not ready.exists()
        folder.mkdir(exist_ok=True)
        ready.touch()


def make_environment(environment: Path, requirements: Sequence[str], lowest: bool = False) -> None:
    """Make a virtual environment and install into it; with ``lowest`` the oldest versions that are allowed.

    The test is skipped where uv is not there, or the network that brings the packages.
    """
    resolution = ["--resolution", "lowest-direct"] if lowest else []
    _uv("venv", "--quiet", "--python", sys.executable, "--no-python-downloads", str(environment))
    _uv("pip", "install", "--quiet", "--python", str(environment / "bin" / "python"), *resolution, *requirements)


def _uv(*arguments: str) -> None:
    found = os.environ.get("UV") or shutil.which("uv")
    command = [found] if found else ["pipx", "run", "uv"] if shutil.which("pipx") else None
    if command is None:
        pytest.skip("fresh environments are made with uv, and neither uv nor pipx is there")
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    if done.returncode and OFFLINE.search(done.stderr):
        pytest.skip(f"the packages of a fresh environment cannot be fetched: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
