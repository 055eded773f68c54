"""Ten times ten folds as a study: through its file and its store, many recipes together, two workers, resuming."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import PAPER_SETS
from benchmarks.measuring import Timing, run_process
from benchmarks.session import Session, main

ONE = ("weka-naive-bayes",)
TEN = (
    "laplace-0.01",
    "laplace-0.1",
    "laplace-1",
    "laplace-m",
    "no-match-0",
    "no-match-0.01",
    "no-match-0.1",
    "no-match-pc",
    "sbc",
    "weka-naive-bayes",
)
ALONE = ("--jobs", "1")
ONE_RECIPE, ONE_WORKER = "one recipe", "one worker"
LONGER = 10
"""How many times as many repeats the study has that two workers share."""
BUNDLED = ("iris", "monks-1")


def measure(session: Session) -> None:
    """Measure whole commands: one recipe, ten recipes, a finished study again, and two workers."""
    data = _data(session)
    repeats = session.sized(10, 1)
    size = f"{len(data)} data sets, {repeats} x 10 folds"
    with tempfile.TemporaryDirectory() as folder:
        one, ten = (
            _study(Path(folder), name, recipes, data, repeats) for name, recipes in (("one", ONE), ("ten", TEN))
        )
        runs = session.sized(3, 1)
        alone = Timing.of([run_process(_command(one, "--fresh", *ALONE)).milliseconds for _ in range(runs)])
        together = Timing.of([run_process(_command(ten, "--fresh", *ALONE)).milliseconds for _ in range(runs)])
        again = Timing.of([run_process(_command(ten, *ALONE)).milliseconds for _ in range(runs)])
        session.compare("a study of one recipe", "process: nbf run", size, alone, {}, own=True)
        session.compare("a study of ten recipes", "process: nbf run", size, together, {ONE_RECIPE: alone}, own=True)
        session.compare("a finished study again", "process: nbf run", size, again, {}, own=True)
        longer = _study(Path(folder), "longer", TEN, data, LONGER * repeats)
        _workers(session, longer, f"{len(data)} data sets, {LONGER * repeats} x 10 folds, ten recipes")


def _workers(session: Session, study: Path, size: str) -> None:
    """Measure time on the clock, which is what more workers are for, on a study that takes a while.

    The machine should be idle.
    """
    one, two = (Timing.of([_elapsed(_command(study, "--fresh", "--jobs", jobs))]) for jobs in ("1", "2"))
    session.compare("two workers", "time on the clock: nbf run", size, two, {ONE_WORKER: one}, own=True)


def _elapsed(command: Sequence[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return 1e3 * (time.perf_counter() - start)


def _data(session: Session) -> list[str]:
    folder = session.data
    paths = [] if folder is None else [folder / f"{name}.arff" for name in PAPER_SETS]
    if session.quick or not paths or not all(path.is_file() for path in paths):
        if not session.quick:
            session.skip("the 20 published data sets", "no folder that holds them: --data-dir or NBFRAMEWORK_DATA")
        return list(BUNDLED)
    return [str(path.resolve()) for path in paths]


def _study(folder: Path, name: str, recipes: Sequence[str], data: Sequence[str], repeats: int) -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(
        f"study: {name}\nrecipes: [{', '.join(recipes)}]\ndata:\n"
        + "".join(f"  - {file}\n" for file in data)
        + f"protocol: {{cross-validation: {{folds: 10, repeats: {repeats}, seed: 1}}}}\n"
    )
    return path


def _command(study: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "nbframework", "run", str(study), *options]


if __name__ == "__main__":
    main(measure, "studies")
