"""Worker processes: a dying one costs its own task, nothing hangs, nothing is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from nbframework.errors import EvaluationError
from nbframework.plugins import Plugins, Source, installed
from nbframework.study.plan import plan_study
from nbframework.study.results import read_run
from nbframework.study.runner import run_plan
from nbframework.study.store import Store
from nbframework.study.study import load_study

PLUGIN = '''
import os
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbframework.authoring import Discretizer, hookimpl


@dataclass(frozen=True, kw_only=True)
class Fatal(Discretizer):
    """Kills its process, sleeps, or takes memory, on a column of some number of training rows."""

    name: ClassVar[str] = "fatal"
    cite: ClassVar[str] = "a test"
    rows: int = 0
    code: int = 7
    seconds: float = 0.0
    megabytes: int = 0

    def fit(self, values, classes, weights):
        if len(values) == self.rows and self.code:
            os._exit(self.code)
        time.sleep(self.seconds)
        self_destructing = np.ones(self.megabytes * 125_000)
        return np.empty(0) if len(self_destructing) < 0 else np.array([values.mean()])


@hookimpl
def nbframework_discretizers():
    return [Fatal]
'''


@pytest.fixture
def fatal(site, tmp_path, monkeypatch):
    """Plan a study with the discretizer ``fatal``, which worker processes find, too."""
    (site / "fatal_plugin.py").write_text(PLUGIN)
    monkeypatch.setenv("PYTHONPATH", str(site))
    plugins = Plugins([*installed().sources, Source("fatal_plugin", "fatal_plugin")])

    def plan(text):
        path = tmp_path / "fatal.yaml"
        path.write_text(text)
        study = load_study(path, plugins)
        return plan_study(study, plugins=plugins)

    monkeypatch.setattr("nbframework.study.provenance.installed", lambda: plugins)
    stop_workers()
    yield plan
    stop_workers()


def stop_workers():
    """joblib keeps workers for the next call, with the environment that they were started in."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)


def recipe(label, **parameters):
    inner = ", ".join(f"{key}: {value}" for key, value in parameters.items())
    return f"{{recipe: sbc, label: {label}, set: {{discretizer: {{fatal: {{{inner}}}}}}}}}"


def run(plan, path, jobs=2):
    with Store(path, write=True) as store:
        return run_plan(plan, store, jobs)


def test_par_01_a_dying_worker_costs_its_own_task(fatal, tmp_path):
    """Iris has 135 training rows in a fold of ten, wine 160 and 161: only iris kills."""
    deadly = recipe("deadly", rows=135)
    plan = fatal(f"study: s\nrecipes: [sbc, {deadly}, laplace-1]\ndata: [iris, wine, monks-1]\n")
    outcome = run(plan, tmp_path / "s.db")
    (failure,) = outcome.failures
    assert failure[:2] == ("iris", "deadly")
    assert failure[2] == "worker died, exit code 7 (data set iris, seed 1)"
    assert outcome.new == 80
    with Store(tmp_path / "s.db") as store:
        assert [(cell.data, cell.recipe) for cell in read_run(store).incomplete] == [("iris", "deadly")]


def test_par_01_resuming_does_only_that_task(fatal, tmp_path):
    text = "study: s\nrecipes: [sbc, {}]\ndata: [iris, wine]\n"
    run(fatal(text.format(recipe("deadly", rows=135))), tmp_path / "s.db")
    assert run(fatal(text.format(recipe("deadly", rows=135))), tmp_path / "s.db").new == 0
    mended = run(fatal(text.format(recipe("deadly", rows=135, code=0))), tmp_path / "s.db")
    # the mended recipe is another one on both data sets
    assert (mended.new, mended.failures) == (20, ())


def test_par_06_a_killed_worker_is_noticed_and_its_work_done_again(fatal, tmp_path):
    plan = fatal(f"study: s\nrecipes: [{recipe('slow', seconds=0.02)}, sbc]\ndata: [iris, wine]\n")
    killed = []

    def kill():
        while not killed:
            time.sleep(0.05)
            for process in children():
                if "loky" in command_line(process) and "resource_tracker" not in command_line(process):
                    time.sleep(1.0)
                    os.kill(process, signal.SIGKILL)
                    killed.append(process)
                    return

    thread = threading.Thread(target=kill)
    thread.start()
    started = time.monotonic()
    outcome = run(plan, tmp_path / "s.db")
    killed.append(0)
    thread.join()
    assert killed[0] > 0, "no worker was there to be killed"
    assert (outcome.state, outcome.new) == ("complete", 40)
    assert time.monotonic() - started < 120


def children():
    found = []
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        # a thread may end between the two
        with suppress(OSError):
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def command_line(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def test_par_06_no_process_is_left_behind(tmp_path):
    (tmp_path / "s.yaml").write_text("study: s\nrecipes: [sbc, laplace-1]\ndata: [iris, wine]\n")
    command = [sys.executable, "-m", "nbframework", "run", str(tmp_path / "s.yaml"), "--jobs", "2"]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.wait(120) == 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and group_lives(process.pid):
        time.sleep(0.1)
    assert not group_lives(process.pid)


def group_lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_that_takes_too_long_is_stopped(fatal, tmp_path, jobs):
    slow = recipe("slow", seconds=30)
    plan = fatal(f"study: s\nrecipes: [{slow}, sbc]\ndata: [iris]\nlimits: {{seconds: 3}}\n")
    started = time.monotonic()
    outcome = run(plan, tmp_path / "s.db", jobs)
    assert time.monotonic() - started < 25
    assert outcome.failures == (("iris", "slow", "fold 1: stopped: the task took longer than the limit of 3 s"),)
    assert outcome.new == 10


def test_the_time_limit_counts_all_folds_of_a_task(fatal, tmp_path):
    """Four columns of 0.1 s are 0.4 s a fold."""
    slow = recipe("slow", seconds=0.1)
    plan = fatal(f"study: s\nrecipes: [{slow}]\ndata: [iris]\nlimits: {{seconds: 1.9}}\n")
    outcome = run(plan, tmp_path / "s.db", 1)
    assert 1 <= outcome.new <= 4
    assert "the task took longer than the limit of 1.9 s" in outcome.failures[0][2]


def test_the_time_limit_counts_all_repeats_with_workers_too(fatal, tmp_path):
    """Two repeats of ten folds of 0.2 s: 4 s."""
    slow = recipe("slow", seconds=0.05)
    repeated = "protocol: {cross-validation: {repeats: 2}}"
    plan = fatal(f"study: s\nrecipes: [{slow}, sbc]\ndata: [iris]\n{repeated}\nlimits: {{seconds: 3}}\n")
    outcome = run(plan, tmp_path / "s.db")
    assert [label for _, label, _ in outcome.failures] == ["slow"]
    assert outcome.new < 40


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory limit needs Linux")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_that_takes_too_much_memory_is_stopped(fatal, tmp_path, jobs):
    large = recipe("large", megabytes=2000)
    plan = fatal(f"study: s\nrecipes: [{large}, sbc]\ndata: [iris]\nlimits: {{memory_mb: 500}}\n")
    outcome = run(plan, tmp_path / "s.db", jobs)
    assert outcome.failures == (("iris", "large", "fold 1: stopped: it needed more than the limit of 500 MB"),)
    assert outcome.new == 10


def test_par_04_native_thread_pools_of_a_worker_have_one_thread():
    from joblib import Parallel, delayed

    from nbframework.study import workers

    with workers.pool(2):
        assert Parallel()(delayed(os.getenv)("OPENBLAS_NUM_THREADS") for _ in range(2)) == ["1", "1"]


def test_long_work_is_handed_over_in_slices(fatal, tmp_path, monkeypatch):
    from nbframework.study import workers

    monkeypatch.setattr(workers, "SLICE_SECONDS", 0.0)
    (tmp_path / "marks").mkdir()
    plan = fatal("study: s\nrecipes: [sbc]\ndata: [iris]\n")
    with Store(tmp_path / "s.db", write=True) as store:
        from nbframework.study import runner

        _, numbers = store.begin(plan)
        (work,), _ = runner._missing(plan, numbers, store)
    _, results = workers._portion(0, work, tmp_path / "marks", os.getppid())
    assert len(results) == 1
    rest = workers.remaining(work, results)
    assert len(rest.assignments[0].missing) == 9
    assert rest.assignments[0].spent == results[0].seconds


@pytest.fixture
def desk(planned, tmp_path):
    """Three portions, each of one task of ten folds, that are being handed out."""
    from nbframework.study import runner, workers

    plan = planned("study: s\nrecipes: [sbc, laplace-1, majority]\ndata: [iris]\nlimits: {seconds: 60}\n")
    with Store(tmp_path / "s.db", write=True) as store:
        _, numbers = store.begin(plan)
        works, _ = runner._missing(plan, numbers, store)
    return workers._Desk(workers.portions(works, 2))


def test_the_rest_of_a_portion_is_the_next_one(desk):
    from nbframework.study import work

    handed = desk.handed_out()
    number, first = next(handed)
    done = list(work.perform(first))[:4]
    desk.take_back(number, done)
    _, rest = next(handed)
    assert rest.assignments[0].task == first.assignments[0].task
    assert sorted(rest.assignments[0].missing) == [(0, fold) for fold in range(4, 10)]


def test_only_portions_that_were_begun_are_suspected_of_a_death(desk):
    handed = desk.handed_out()
    works = [work for _, work in handed]
    assert len(works) == 3
    assert desk.suspects({1}) == [works[1]]
    assert list(desk.left) == [works[0], works[2]]


def worker_processes():
    return {one for one in children() if "popen_loky" in command_line(one)}


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="two workers need two cores")
def test_workers_that_were_started_early_do_the_work(planned, tmp_path):
    from nbframework.study import workers

    stop_workers()
    workers.start_workers(2).join()
    early = worker_processes()
    assert len(early) == 2
    plan = planned("study: s\nrecipes: [sbc, laplace-1]\ndata: [iris, wine]\n")
    assert run(plan, tmp_path / "s.db").new == 40
    assert worker_processes() == early


def test_without_workers_nothing_is_prepared():
    from nbframework.study import runner

    stop_workers()
    runner.prepare(1)
    assert not worker_processes()


def test_preparing_refuses_a_number_of_jobs_that_makes_no_sense():
    from nbframework.study import runner

    with pytest.raises(EvaluationError, match="0 jobs; expected a number of at least 1"):
        runner.prepare(0)
