"""What a command costs from its start to its end: processor time and peak memory of the whole process."""

import os
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files

from benchmarks.goals import WEKA
from benchmarks.measuring import Timing, Usage, run_process
from benchmarks.session import Session, main

EVALUATE = "nbf evaluate, iris"
RECIPE = "weka-naive-bayes"


def measure(session: Session) -> None:
    """Measure the commands that have to be quick."""
    size = "start to end"
    for name, arguments in (("nbf --help", ["--help"]), ("nbf --version", ["--version"])):
        runs = _runs(session, arguments)
        session.compare(name, "process", size, _timing(runs), {}, own=True)
        session.amount(f"memory of {name}", "process", size, max(run.megabytes for run in runs), "MB")
    runs = _runs(session, ["evaluate", RECIPE, "-d", "iris"])
    peers = {WEKA: _weka(session)}
    session.compare(EVALUATE, "process", "150 rows, 10 folds", _timing(runs), peers, own=True)
    session.amount(f"memory of {EVALUATE}", "process", size, max(run.megabytes for run in runs), "MB")
    # iris is done in a few milliseconds, so that the rest is start-up
    demo, start = _timing(_runs(session, ["demo"])), {EVALUATE: _timing(runs)}
    session.compare("nbf demo", "process", "8 data sets, 5 recipes", demo, start, own=True)
    session.compare("python -c pass", "process", size, _timing(_python(session, ["-c", "pass"])), {}, own=True)
    numpy = _python(session, ["-c", "import numpy"])
    session.compare("python -c 'import numpy'", "process", size, _timing(numpy), {}, own=True)


def _runs(session: Session, arguments: Sequence[str]) -> list[Usage]:
    return _python(session, ["-m", "nbframework", *arguments])


def _python(session: Session, arguments: Sequence[str]) -> list[Usage]:
    """Run this Python a few times; one run before warms the file cache."""
    command = [sys.executable, *arguments]
    run_process(command)
    environment = {**os.environ, "NO_COLOR": "1"}
    return [run_process(command, environment) for _ in range(session.sized(11, 1))]


def _timing(runs: Sequence[Usage]) -> Timing:
    return Timing.of([run.milliseconds for run in runs])


def _weka(session: Session) -> Timing | None:
    usable = [weka for weka in session.weka if weka.unavailable() is None]
    if not usable:
        session.skip(f"{WEKA}: {EVALUATE}", "no usable jar named: --weka JAR or WEKA_JAR")
        return None
    with as_file(files("nbframework") / "data" / "bundled" / "iris.arff") as path:
        arguments = ["-D", "-t", str(path)]
        runs = [
            usable[0].command_line("weka.classifiers.bayes.NaiveBayes", arguments) for _ in range(session.sized(5, 1))
        ]
    session.amount("memory of Weka, iris", "process", "start to end", max(run.megabytes for run in runs), "MB")
    return _timing(runs)


if __name__ == "__main__":
    main(measure, "start_up")
