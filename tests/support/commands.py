"""The command in a process of its own, in a folder."""

import subprocess
import sys
from pathlib import Path


def nbf(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run ``nbf`` with some arguments in a folder."""
    command = [sys.executable, "-m", "nbframework", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
