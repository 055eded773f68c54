"""Every file of the corpus is accepted or refused with one of our errors, in bounded time and memory."""

import gzip
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.fuzz_targets import TARGETS, true_model
from support.paths import ROOT

CORPUS = Path(__file__).parent / "corpus"
MEMORY = 4_000_000_000
"""Bytes of address space, most of which libraries only reserve."""
SECONDS = 120
"""A limit for what hangs; the files of one door take a second or two."""
PROGRAM = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from pathlib import Path
from support.fuzz_targets import TARGETS, is_harmless
for path in map(Path, sys.argv[2:]):
    print(path.name, is_harmless(TARGETS[sys.argv[1]], path.read_bytes()))
"""


def judged(target: str, paths: list[Path]) -> dict[str, bool]:
    """Return for each file whether it was accepted, in a process of limited memory."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, target, *map(str, paths)],
        cwd=ROOT / "tests",
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    return {name: answer == "True" for name, answer in (line.rsplit(" ", 1) for line in done.stdout.splitlines())}


def test_every_door_has_a_corpus_and_every_corpus_a_door():
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_does_no_harm(target):
    paths = sorted((CORPUS / target).iterdir())
    answers = judged(target, paths)
    assert list(answers) == [path.name for path in paths]
    assert all(answers[path.name] for path in paths if path.stem.partition(".")[0] == "good")
    refused = [name for name, accepted in answers.items() if not accepted]
    assert refused


def test_a_gzip_bomb_is_refused(tmp_path):
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb") as file:
        for _ in range(600):
            file.write(b" " * 1_000_000)
    path = tmp_path / "bomb.arff.gz"
    path.write_bytes(stream.getvalue())
    assert judged("arff-gzip", [path]) == {"bomb.arff.gz": False}


def test_a_model_that_would_fill_the_memory_is_refused(tmp_path):
    path = tmp_path / "bomb.model"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in true_model().items():
            if name != "cells.npy":
                archive.writestr(name, content)
        with archive.open("cells.npy", "w") as member:
            for _ in range(600):
                member.write(bytes(1_000_000))
    assert judged("model", [path]) == {"bomb.model": False}
