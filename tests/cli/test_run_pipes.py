"""Case CLI-01: a reader that leaves early costs neither results nor nerves."""

import os
import shutil
import sqlite3
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the case is a shell pipeline")
STUDY = """
study: long
recipes: [sbc, gaussian-nb]
data: [iris, monks-1]
protocol: {cross-validation: {folds: 5, repeats: 60}}
metrics: [accuracy, log_loss]
"""
FOLDS = 2 * 2 * 5 * 60


def pipeline(folder, command):
    """Return the status of the first command of a pipeline, what the others printed, and what is on stderr."""
    environment = os.environ | {"NBF": f"{sys.executable} -m nbframework", "PYTHONUNBUFFERED": "1"}
    script = f"set -o pipefail\n{command}\necho ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True)
    *lines, status = done.stdout.splitlines()
    return int(status), lines, done.stderr


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pipes")
    (folder / "long.yaml").write_text(STUDY)
    status, _, errors = pipeline(folder, "$NBF run long.yaml | cat")
    assert status == 0, errors
    return folder


@pytest.mark.parametrize("arguments", ["report long.db --json", "schema", "parts --json"])
def test_cli_01_a_listing_longer_than_the_pipe_ends_quietly(finished, arguments):
    status, lines, errors = pipeline(finished, f"$NBF {arguments} | wc -c")
    assert status == 0
    assert int(lines[0]) > 65536
    status, lines, errors = pipeline(finished, f"$NBF {arguments} | head -1")
    assert status in (0, 141)
    assert lines in (["{"], ["["])
    assert errors == ""


def test_cli_01_a_run_whose_readers_leave_stores_everything(tmp_path):
    (tmp_path / "long.yaml").write_text(STUDY)
    status, _, errors = pipeline(tmp_path, "$NBF run long.yaml 2>&1 | head -c 1 > /dev/null")
    assert status in (0, 141)
    assert errors == ""
    with sqlite3.connect(tmp_path / "long.db") as connection:
        assert connection.execute("SELECT count(*) FROM fold").fetchone() == (FOLDS,)
        assert connection.execute("SELECT state FROM run").fetchone() == ("complete",)
