"""A run with workers that is killed leaves no process behind, and loses nothing that was stored."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nbframework.study.runner import run_plan
from nbframework.study.store import Store

from .test_interruptions import stored
from .test_runner import content

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at in Linux's /proc")

STUDY = """
study: s
recipes: [sbc, gaussian-nb, laplace-1]
data: [iris, wine, digits]
protocol: {cross-validation: {folds: 5, repeats: 30}}
predictions: true
"""
KILLS = 3


def members(group):
    """The processes of a group that still run, with their command lines."""
    found = {}
    for folder in Path("/proc").iterdir():
        try:
            state, _, mine = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            if folder.name.isdigit() and int(mine) == group and state != "Z":
                found[int(folder.name)] = (folder / "cmdline").read_text().replace("\0", " ")
        except (OSError, ValueError):
            continue
    return found


def until(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def started(folder, least):
    """Start the study with two workers; return it once more folds than ``least`` are stored, or all is done."""
    command = [sys.executable, "-m", "nbframework", "run", "s.yaml", "--jobs", "2"]
    process = subprocess.Popen(
        command, cwd=folder, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until(lambda: stored(folder / "s.db") > least or process.poll() is not None)
    return process


def test_nothing_is_left_behind_lost_or_doubled(planned, tmp_path, monkeypatch):
    (tmp_path / "s.yaml").write_text(STUDY)
    kills, before = 0, 0
    for _ in range(KILLS):
        process = started(tmp_path, before)
        workers = [pid for pid, command in members(process.pid).items() if "loky" in command]
        os.kill(process.pid, signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL and len(workers) >= 2
        assert until(lambda group=process.pid: not members(group)), "a worker was left behind"
        now = stored(tmp_path / "s.db")
        assert now >= before, "a stored fold was lost"
        before = now
    assert kills, "every run was over too soon"
    plan = planned(STUDY)
    with Store(tmp_path / "s.db", write=True) as store:
        outcome = run_plan(plan, store)
    assert (outcome.before, outcome.before + outcome.new) == (before, 3 * 3 * 5 * 30)
    with Store(tmp_path / "whole.db", write=True) as store:
        run_plan(plan, store)
    assert content(tmp_path / "s.db") == content(tmp_path / "whole.db")
