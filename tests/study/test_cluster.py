"""A real Dask cluster of several worker processes: nothing lost, nothing done twice, the same bytes."""

import logging
import os
import signal
import subprocess
import sys
import time

import pytest

from nbframework.errors import EvaluationError
from nbframework.plugins import Plugins, Source, installed
from nbframework.study import cluster as module
from nbframework.study.plan import plan_study
from nbframework.study.runner import run_plan
from nbframework.study.store import Store
from nbframework.study.study import load_study

from .conftest import SMALL
from .test_runner import content
from .test_workers import PLUGIN, recipe

pytest.importorskip("distributed", reason="Dask is not installed (the extra dask)")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two workers that know the discretizer ``fatal``; a portion may cost one of them before it is given up."""
    import dask
    from distributed import LocalCluster

    folder = tmp_path_factory.mktemp("cluster")
    (folder / "cluster_plugin.py").write_text(PLUGIN)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), *([before] if before else [])])
    sys.path.insert(0, str(folder))
    settings = {
        "distributed.scheduler.allowed-failures": 1,
        # a cluster of this kind forgets workers that it finds restarting after a while
        "distributed.deploy.lost-worker-timeout": "10 minutes",
        "temporary-directory": str(folder),
    }
    try:
        with dask.config.set(settings), LocalCluster(2, threads_per_worker=1, dashboard_address=None) as started:
            yield started
    finally:
        sys.path.remove(str(folder))
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before


@pytest.fixture
def plan(cluster, tmp_path, monkeypatch):
    plugins = Plugins([*installed().sources, Source("cluster_plugin", "cluster_plugin")])
    monkeypatch.setattr("nbframework.study.provenance.installed", lambda: plugins)

    def planned(text):
        path = tmp_path / "s.yaml"
        path.write_text(text)
        return plan_study(load_study(path, plugins), plugins=plugins)

    return planned


def run(plan, path, scheduler, progress=None):
    with Store(path, write=True) as store:
        return run_plan(plan, store, progress=progress, scheduler=scheduler)


def test_a_killed_worker_costs_nothing_and_the_bytes_are_those_of_one_process(plan, cluster, tmp_path):
    slow = recipe("slow", seconds=0.02, code=0)
    repeated = "protocol: {cross-validation: {folds: 5, repeats: 3}}\npredictions: true\n"
    study = plan(f"study: s\nrecipes: [{slow}, sbc]\ndata: [iris, wine]\n{repeated}")
    victims, results = [], []

    def kill(state):
        results.append(state.done)
        if len(results) == 12:
            victims.extend(nanny.pid for nanny in cluster.workers.values())
            os.kill(victims[0], signal.SIGKILL)

    outcome = run(study, tmp_path / "dask.db", cluster.scheduler_address, kill)
    assert (outcome.state, outcome.new) == ("complete", 60)
    assert results == list(range(1, 61))
    deadline = time.monotonic() + 30
    while victims[0] in {nanny.pid for nanny in cluster.workers.values()} and time.monotonic() < deadline:
        time.sleep(0.1)
    assert victims[0] not in {nanny.pid for nanny in cluster.workers.values()}, "no worker was killed"
    with Store(tmp_path / "one.db", write=True) as store:
        run_plan(study, store)
    assert content(tmp_path / "dask.db") == content(tmp_path / "one.db")


def test_a_task_that_kills_its_workers_fails_alone(plan, cluster, tmp_path):
    """Iris has 135 training rows in a fold of ten, wine 160 and 161: only iris kills."""
    study = plan(f"study: s\nrecipes: [sbc, {recipe('deadly', rows=135)}]\ndata: [iris, wine]\n")
    outcome = run(study, tmp_path / "s.db", cluster.scheduler_address)
    reason = "every worker that Dask gave it to died (data set iris, seed 1)"
    assert outcome.failures == (("iris", "deadly", reason),)
    assert outcome.new == 30


def test_results_that_are_lost_before_they_are_taken_are_computed_again(plan, cluster, tmp_path, monkeypatch):
    """A portion that is done may still be given up: where its worker died, and those that were to do it again."""
    from distributed import Future, KilledWorker

    lost = []

    def result(future, timeout=None):
        if not lost:
            lost.append(future.status)
            raise KilledWorker(future.key, None, 1)
        return taken(future, timeout)

    taken = Future.result
    monkeypatch.setattr(Future, "result", result)
    outcome = run(plan(SMALL), tmp_path / "s.db", cluster.scheduler_address)
    assert lost == ["finished"]
    assert (outcome.state, outcome.failures, outcome.new) == ("complete", (), 20)


def test_limits_are_kept_on_a_cluster_too(plan, cluster, tmp_path):
    slow, large = recipe("slow", seconds=30), recipe("large", megabytes=2000)
    study = plan(f"study: s\nrecipes: [{slow}, {large}]\ndata: [iris]\nlimits: {{seconds: 4, memory_mb: 500}}\n")
    failures = run(study, tmp_path / "s.db", cluster.scheduler_address).failures
    assert {label: message for _, label, message in failures} == {
        "slow": "fold 1: stopped: the task took longer than the limit of 4 s",
        "large": "fold 1: stopped: it needed more than the limit of 500 MB",
    }


def test_other_versions_on_the_workers_are_refused(plan, cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "machine", lambda: {"nbframework": "0.1", "kernels": "compiled", "numpy": "0.1"})
    with pytest.raises(EvaluationError, match=r"worker tcp://\S+ has \w+ \S+, here it is"):
        run(plan(SMALL), tmp_path / "s.db", cluster.scheduler_address)


def test_the_command_runs_on_a_cluster(cluster, tmp_path):
    (tmp_path / "small.yaml").write_text(SMALL)

    def nbf(*arguments):
        command = [sys.executable, "-m", "nbframework", "run", "small.yaml", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = nbf("--engine", "dask", "--scheduler", cluster.scheduler_address)
    assert done.returncode == 0, done.stderr
    assert "20 folds in" in done.stderr
    assert nbf().stdout == done.stdout


def test_the_library_logs_nothing_beside_the_errors_that_are_raised(cluster):
    logger = logging.getLogger("distributed.client")
    assert logger.isEnabledFor(logging.ERROR)
    with module.connected(cluster.scheduler_address):
        assert not logger.isEnabledFor(logging.CRITICAL)
    assert logger.isEnabledFor(logging.ERROR)


def test_a_scheduler_that_is_not_there_is_an_error(ran, monkeypatch, tmp_path, planned):
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.5)
    with pytest.raises(EvaluationError, match=r"tcp://127\.0\.0\.1:9: no Dask scheduler there"):
        run(planned(), tmp_path / "s.db", "tcp://127.0.0.1:9")
