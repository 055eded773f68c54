"""Every benchmark runs on tiny data and writes strict JSON; no figure is looked at."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.once import once

from benchmarks.run import SUBJECTS

pytestmark = once
ROOT = Path(__file__).parents[2]


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def run(subject: str, folder: Path) -> dict[str, Any]:
    environment = {name: value for name, value in os.environ.items() if name not in ("NBFRAMEWORK_DATA", "WEKA_JAR")}
    command = [sys.executable, "benchmarks/run.py", subject, "--quick", "--output", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads((folder / "results.json").read_text(), parse_constant=refuse)
    return found


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_runs_quickly_and_writes_what_it_measured_or_why_not(subject: str, tmp_path: Path) -> None:
    results = run(subject, tmp_path)
    (found,) = results["subjects"]
    assert found["subject"] == subject
    assert found["comparisons"] or found["skipped"]
    assert all(entry["product"] >= 0 for entry in found["comparisons"])
    assert results["quick"]


def test_cross_validation_without_data_sets_says_so(tmp_path: Path) -> None:
    (found,) = run("cross_validation", tmp_path)["subjects"]
    assert "no folder of data sets" in found["skipped"][0]["reason"]


def test_a_result_holds_no_path_of_the_machine(tmp_path: Path) -> None:
    run("cuts", tmp_path)
    written = (tmp_path / "results.json").read_text() + (tmp_path / "table.md").read_text()
    assert str(ROOT) not in written
    assert str(tmp_path) not in written
    assert os.uname().nodename not in written


def test_an_unknown_subject_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    command = [sys.executable, "benchmarks/run.py", "counting", "--output", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there are: count, score" in done.stderr
