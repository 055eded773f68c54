"""Case PAR-05 in small: no process has more than one copy of the data, and none is sent from one to another."""

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.study import runner, workers
from nbframework.study.plan import PlannedData
from nbframework.study.portions import portions as cut
from nbframework.study.store import Store
from nbframework.study.work import _read, _shared

ROWS, ATTRIBUTES = 60_000, 20
RECIPES = "[gaussian-nb, majority]"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A study on 10 MB of numbers."""
    folder = tmp_path_factory.mktemp("large")
    generator = np.random.default_rng(1)
    header = "".join(f"@attribute x{i} numeric\n" for i in range(ATTRIBUTES))
    rows = np.char.mod("%.4f", generator.normal(size=(500, ATTRIBUTES)))
    lines = [",".join(row) + (",a\n" if i % 2 else ",b\n") for i, row in enumerate(rows)]
    (folder / "large.arff").write_text(
        f"@relation large\n{header}@attribute class {{a,b}}\n@data\n" + "".join(lines) * (ROWS // 500)
    )
    protocol = "{cross-validation: {folds: 2}}"
    (folder / "s.yaml").write_text(f"study: s\nrecipes: {RECIPES}\ndata: [large.arff]\nprotocol: {protocol}\n")
    return folder


def test_par_05_portions_carry_no_data_and_a_worker_reads_and_deals_a_data_set_once(planned, tmp_path, monkeypatch):
    text = "study: s\nrecipes: [sbc, laplace-1, gaussian-nb, kernel-nb, majority]\ndata: [digits]\n"
    plan = planned(text)
    reads = []
    read = PlannedData.read
    monkeypatch.setattr(PlannedData, "read", lambda self: reads.append(self.name) or read(self))
    dealt = []
    splits = EvaluationProtocol.splits
    monkeypatch.setattr(EvaluationProtocol, "splits", lambda *given: dealt.append(1) or splits(*given))
    with Store(tmp_path / "s.db", write=True) as store:
        _, numbers = store.begin(plan)
        works, _ = runner._missing(plan, numbers, store)
    portions = [pickle.loads(pickle.dumps(portion)) for portion in cut(works, 3)]  # noqa: S301
    assert len(portions) == 10
    size = sum(column.nbytes for column in plan.loaded["digits"].columns)
    assert max(len(pickle.dumps(portion)) for portion in portions) < size / 20
    _read.cache_clear()
    _shared.cache_clear()
    for portion in portions:
        assert len(workers.a_slice(portion)) == 5
    assert reads == ["digits"]
    assert dealt == [1]


def megabytes(process):
    """The memory of a process and its children, shared pages counted once."""
    total, found = 0.0, [process]
    while found:
        folder = Path(f"/proc/{found.pop()}")
        try:
            found += [int(c) for task in folder.glob("task/*/children") for c in task.read_text().split()]
            pages = (folder / "smaps_rollup").read_text().split("Pss:")[1]
            total += int(pages.split()[0]) / 1000
        except (OSError, IndexError):
            continue
    return total


def peak(folder, jobs):
    command = [sys.executable, "-m", "nbframework", "run", "s.yaml", "--store", f"{jobs}.db", "--jobs", str(jobs)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    highest, over = 0.0, threading.Event()
    while process.poll() is None:
        highest = max(highest, megabytes(process.pid))
        over.wait(0.02)
    assert process.returncode == 0
    return highest


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is measured on Linux")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="two workers need two cores")
def test_par_05_two_workers_need_at_most_three_times_the_memory_of_one_process(large):
    assert peak(large, 2) <= 3 * peak(large, 1)
