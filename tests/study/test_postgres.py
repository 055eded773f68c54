"""Results in PostgreSQL: the same as in SQLite, kept through kill -9 and a server that goes away."""

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from nbframework.errors import DataError
from nbframework.report.run import run_text
from nbframework.study import store as module
from nbframework.study.database import shown_address
from nbframework.study.results import read_run
from nbframework.study.runner import run_plan
from nbframework.study.store import Store, stored_facts

from .conftest import SMALL
from .test_interruptions import child
from .test_runner import TIMELESS, content

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
needs_server = pytest.mark.skipif(not PROGRAMS, reason="no PostgreSQL server under /usr/lib/postgresql")


class Server:
    """A PostgreSQL cluster of our own, reached through a socket in its folder only."""

    def __init__(self, folder):
        self.folder = folder
        # the server refuses to run as root
        self.user = {}
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.user = {"user": "postgres" if "postgres" in names else "nobody"}
            os.chown(folder, pwd.getpwnam(self.user["user"]).pw_uid, -1)
        self.call("initdb", "--no-sync", "-A", "trust", "-U", "nbf", "-E", "UTF8", "--locale=C", "-D", f"{folder}/data")
        self.start()

    def call(self, program, *arguments):
        command = [str(PROGRAMS[-1].with_name(program)), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False, **self.user)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self):
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off -c shared_buffers=8MB"
        self.call("pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-o", options, "-w", "start")

    def stop(self):
        self.call("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    def address(self, database):
        return f"postgresql://nbf@/{database}?host={self.folder}"


@pytest.fixture(scope="module")
def server():
    pytest.importorskip("psycopg", reason="psycopg is not installed (the extra postgres)")
    # a folder whose parents others can pass, with a path short enough for a socket
    folder = tempfile.mkdtemp(prefix="nbf-pg-", dir="/tmp")
    running = None
    try:
        running = Server(folder)
        yield running
    finally:
        if running is not None:
            running.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def address(server, request):
    """The address of an empty database."""
    name = f"t{abs(hash(request.node.name))}"
    server.call("createdb", "-h", server.folder, "-U", "nbf", name)
    return server.address(name)


def rows(address):
    with Store(address) as store:
        return {table: sorted(store.query(f"SELECT * FROM {table}")) for table in TIMELESS}  # noqa: S608


@needs_server
def test_the_content_is_that_of_sqlite_and_nothing_runs_again(planned, ran, address, tmp_path):
    broken = "@relation b\n@attribute t string\n@attribute class {a,b}\n@data\n" + "x,a\ny,b\n" * 5
    (tmp_path / "broken.arff").write_text(broken)
    text = SMALL.replace("monks-1", "broken.arff").replace("log_loss", "log_loss, auc") + "predictions: true\n"
    ran(text, "one.db")
    with Store(address, write=True) as store:
        outcome = run_plan(planned(text), store)
    assert (outcome.new, outcome.state) == (10, "failures")
    assert rows(address) == content(tmp_path / "one.db")
    with Store(address, write=True) as store:
        assert run_plan(planned(text, facts=stored_facts(address)), store).new == 0
    with Store(address) as server_side, Store(tmp_path / "one.db") as file_side:
        assert run_text(read_run(server_side)) == run_text(read_run(file_side))


@needs_server
def test_killed_in_the_middle_the_next_run_does_the_rest(planned, address, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "COMMIT_SECONDS", 0.0)
    plan = planned()
    assert stored_facts(address) == {}

    def die(state):
        if state.done == 7:
            os.kill(os.getpid(), signal.SIGKILL)

    def work():
        with Store(address, write=True) as store:
            run_plan(plan, store, progress=die)

    os.waitpid(child(work), 0)
    with Store(address) as store:
        assert store.query("SELECT count(*) FROM fold") == [(7,)]
        assert "7 folds" not in run_text(read_run(store))
    with Store(address, write=True) as store:
        outcome = run_plan(plan, store)
    assert (outcome.before, outcome.new) == (7, 13)
    with Store(tmp_path / "whole.db", write=True) as store:
        run_plan(plan, store)
    assert rows(address) == content(tmp_path / "whole.db")


@needs_server
def test_a_second_run_of_a_study_is_refused_and_one_of_another_study_is_not(planned, address):
    with Store(address, write=True) as first, Store(address, write=True) as second:
        first.begin(planned())
        with pytest.raises(DataError, match=rf"the results of small \(nbf process {os.getpid()} on"):
            second.begin(planned())
        with pytest.raises(DataError, match="holds results of other studies, too"):
            second.clear("another")
        assert run_plan(planned(SMALL.replace("small", "another")), second).new == 20
        second.close()
        # the folds of the other study are those of this one
        assert run_plan(planned(), first).new == 0


@needs_server
def test_a_server_that_goes_away_is_an_error_and_what_was_stored_is_kept(planned, server, address, monkeypatch):
    monkeypatch.setattr(module, "COMMIT_SECONDS", 0.0)

    def stop(state):
        if state.done == 5:
            server.stop()

    try:
        with pytest.raises(DataError, match="results so far are kept"), Store(address, write=True) as store:
            run_plan(planned(), store, progress=stop)
    finally:
        server.start()
    with Store(address, write=True) as store:
        outcome = run_plan(planned(), store)
    assert (outcome.before, outcome.new) == (5, 15)


@needs_server
def test_tables_of_another_program_are_left_alone_and_a_reader_changes_nothing(server, address):
    with Store(address, write=True), Store(address) as reader, pytest.raises(DataError, match="read-only"):
        reader.query("DELETE FROM fold")
    server.call("psql", "-q", "-h", server.folder, "-U", "nbf", "-d", address, "-c", "COMMENT ON TABLE run IS NULL")
    for write in (False, True):
        with pytest.raises(DataError, match="table 'run' is of another program; nothing was changed"):
            Store(address, write=write)


@needs_server
def test_the_command_runs_reports_and_compares(address, tmp_path):
    (tmp_path / "small.yaml").write_text(SMALL)

    def nbf(*arguments):
        command = [sys.executable, "-m", "nbframework", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = nbf("run", "small.yaml", "--store", address, "--fresh", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["new_folds"] == 20
    report = nbf("report", address)
    assert report.stdout.startswith("small: 5-fold stratified")
    assert nbf("report", "small.yaml", "--store", address).stdout == report.stdout
    assert "gaussian-nb" in nbf("compare", address).stdout
    assert not (tmp_path / "small.db").exists()


def test_a_server_that_is_not_there_is_an_error_without_the_password(tmp_path):
    pytest.importorskip("psycopg", reason="psycopg is not installed (the extra postgres)")
    with pytest.raises(DataError) as caught:
        Store(f"postgresql://me:secret@/results?host={tmp_path}", write=True)
    assert str(caught.value).startswith(f"postgresql://me@/results?host={tmp_path}: ")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:se:cret@host/db", "postgresql://me@host/db"),
        ("postgresql://me@host/db?password=x", "postgresql://me@host/db"),
        ("postgres://host/db?password=x&sslmode=require", "postgres://host/db?sslmode=require"),
        ("postgresql://host:5432/db", "postgresql://host:5432/db"),
    ],
)
def test_a_password_is_not_shown(address, shown):
    assert shown_address(address) == shown
