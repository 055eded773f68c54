"""A slice of work in a process of its own, which a limit or a crash ends without harm to its parent."""

import os
import pickle
import subprocess
import sys

from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.study.work import Failure, FoldResult, Work

UNEXPECTED = 1
"""Python's own exit code where an exception ends a process."""


def slice_in_a_process(work: Work, dataset: Dataset) -> list[FoldResult | Failure]:
    """Return the results of `nbframework.study.workers.a_slice`, done by another process.

    Only the main thread of a process can be interrupted at a limit, and its address space be limited alone.

    Raises
    ------
    EvaluationError
        Where an exception ended the process that no part of a recipe raised.
    """
    command = [sys.executable, "-m", "nbframework.study.child"]
    done = subprocess.run(command, input=pickle.dumps((work, dataset)), capture_output=True, check=False)  # noqa: S603
    if done.returncode == 0:
        results: list[FoldResult | Failure] = pickle.loads(done.stdout)  # noqa: S301  # our own process wrote it
        return results
    where = f"data set {work.data.name}, seed {work.protocol.seed}"
    if done.returncode == UNEXPECTED:
        raise EvaluationError(f"{where}: {done.stderr.decode(errors='replace').strip()[-1000:]}")
    ended = f"exit code {done.returncode}" if done.returncode > 0 else f"killed by signal {-done.returncode}"
    return [Failure(assignment.task, f"worker died, {ended} ({where})") for assignment in work.assignments]


def _answer() -> None:
    from nbframework.study.workers import a_slice

    work, dataset = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own process wrote it
    # what a part prints must not get into the answer
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with answer:
        pickle.dump(a_slice(work, dataset), answer)


if __name__ == "__main__":
    _answer()
