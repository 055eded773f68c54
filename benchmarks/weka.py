"""Weka as a peer: a small harness compiled against the jar that was named, run in a process of its own."""

import atexit
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from benchmarks.measuring import Timing, Usage, run_process

_HARNESS = Path(__file__).with_name("WekaTimes.java")
_HEAP = "-Xmx6g"


class Weka:
    """The Weka of one jar.

    Parameters
    ----------
    jar
        Path of ``weka.jar``, version 3.6 or 3.9.
    """

    def __init__(self, jar: Path) -> None:
        self.jar = jar.resolve()

    def unavailable(self) -> str | None:
        """Return why it cannot be used, or None."""
        if not self.jar.is_file():
            return "the named jar is no file"
        missing = [tool for tool in ("java", "javac") if shutil.which(tool) is None]
        return f"{' and '.join(missing)} not installed" if missing else None

    def version(self) -> str | None:
        """Return Weka's version, or None where it cannot be used."""
        if self.unavailable():
            return None
        output = run_process(["java", "-cp", str(self.jar), "weka.core.Version"]).output
        found = re.search(r"\d+\.\d+\.\d+", output)
        return found[0] if found else None

    @cached_property
    def _classes(self) -> Path:
        """The folder of the compiled harness."""
        folder = Path(tempfile.mkdtemp(prefix="weka-times-"))
        atexit.register(shutil.rmtree, folder, True)
        subprocess.run(["javac", "-nowarn", "-cp", str(self.jar), "-d", str(folder), str(_HARNESS)], check=True)
        return folder

    def run(self, task: str, runs: int, arguments: Sequence[str | Path]) -> dict[str, Timing]:
        """Return what the harness printed, by name.

        Parameters
        ----------
        task
            read, discretize, classify or cross-validate.
        runs
            How often each is timed; of cross-validate the number of repeats.
        arguments
            FILE; FILE; TRAINING QUERIES CLASSIFIER OPTIONS; CLASSIFIER OPTIONS FILE...

        Raises
        ------
        RuntimeError
            With Weka's output, where it fails.
        """
        path = f"{self.jar}:{self._classes}"
        command = ["java", "-Djava.awt.headless=true", _HEAP, "-cp", path, "WekaTimes", task, str(runs)]
        output = run_process([*command, *map(str, arguments)]).output
        times = re.findall(r"^TIME (\S+) (\S+)$", output, re.MULTILINE)
        single = {"process", "cross-validate"}
        return {
            name: Timing(float(value), float(value), float(value), 1 if name in single else runs)
            for name, value in times
        }

    def command_line(self, classifier: str, arguments: Sequence[str | Path]) -> Usage:
        """Run a classifier as Weka's own command line does."""
        command = ["java", "-Djava.awt.headless=true", "-cp", str(self.jar), classifier]
        return run_process([*command, *map(str, arguments)])
