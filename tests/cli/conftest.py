"""The command in this process, and in one of its own."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass

import pytest
from support.paths import ROOT

from nbframework.cli import main

HEAD = "@relation r\n@attribute x {u,v}\n@attribute y {s,t}\n@attribute class {a,b}\n@data\n"


@dataclass
class Result:
    """What a run of the command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def nbf(capsys, monkeypatch):
    """Run ``nbf`` with some arguments in this process."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments):
        capsys.readouterr()
        before = signal.getsignal(signal.SIGPIPE)
        try:
            with pytest.raises(SystemExit) as stop:
                main(list(arguments))
        finally:
            signal.signal(signal.SIGPIPE, before)
        captured = capsys.readouterr()
        code = stop.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run


@pytest.fixture
def start():
    """Start ``nbf`` in a process of its own."""
    processes = []

    def popen(*arguments, **environment):
        process = subprocess.Popen(
            [sys.executable, "-m", "nbframework", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **environment},
        )
        processes.append(process)
        return process

    yield popen
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def write(tmp_path):
    """Write an ARFF file of rows such as ``"u,s,a; v,t,b"`` and return its path."""

    def file(name, rows, head=HEAD):
        path = tmp_path / name
        path.write_text(head + rows.replace("; ", "\n") + "\n")
        return str(path)

    return file
