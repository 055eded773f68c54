"""One model from a real Dask cluster: the model of one process, though a worker dies on the way."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nbframework import DataError, EvaluationError, Recipe
from nbframework.classifier.streaming import fit_pieces
from nbframework.data.pieces import Piece, pieces_of
from nbframework.data.tabular import read_table
from nbframework.study.cluster_fit import cluster_reduce

from .test_cluster import cluster  # noqa: F401  # a fixture

pytest.importorskip("distributed", reason="Dask is not installed (the extra dask)")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven Parquet files and as many CSV files of the same rows; values and classes are missing in most of them."""
    folder = tmp_path_factory.mktemp("files")
    generator = np.random.default_rng(11)
    for place in range(7):
        classes = generator.integers(0, 2 + place // 5, 300)
        frame = pd.DataFrame(
            {
                "n": np.round(generator.normal(size=300) + classes, 2),
                "k": generator.integers(0, 5 + place, 300).astype(float),
                "x": np.array(list("abcdefgh"))[generator.integers(0, 2 + place, 300)],
                "c": np.array(["no", "yes", "late"])[classes],
            }
        )
        frame.loc[::17, "n"] = np.nan
        frame.to_parquet(folder / f"part-{place}.parquet", row_group_size=100)
        frame.to_csv(folder / f"part-{place}.csv", index=False)
    return folder


@pytest.mark.parametrize(
    ("recipe", "ending"),
    [
        ("sbc", "part-0.csv"),
        ("sbc", "*.parquet"),
        ("gaussian-nb", "*.csv"),
        ("tan", "*.parquet"),
        ("sbc-basic", "*.csv"),
    ],
)
def test_the_model_is_that_of_one_process(recipe: str, ending: str, cluster, files: Path) -> None:  # noqa: F811
    classifier, pieces = Recipe.load(recipe).build(), pieces_of(str(files / ending))
    with cluster_reduce(cluster.scheduler_address) as run:
        found = fit_pieces(classifier, pieces, rows=70, run=run)
    local = fit_pieces(classifier, pieces, rows=70)
    assert found.schema.attributes == local.schema.attributes
    assert found.statistics is not None
    assert local.statistics is not None
    np.testing.assert_array_equal(found.statistics.cells.weight, local.statistics.cells.weight)
    rows = read_table(files / "part-6.csv")
    np.testing.assert_array_equal(found.predict_proba(rows), local.predict_proba(rows))


def test_the_command_fits_on_a_cluster(cluster, files: Path, tmp_path: Path) -> None:  # noqa: F811
    def nbf(*arguments: str) -> None:
        command = [sys.executable, "-m", "nbframework", "fit", "sbc", str(files / "*.parquet"), "-o", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    nbf("dask.model", "--engine", "dask", "--scheduler", cluster.scheduler_address)
    nbf("local.model", "--chunk-rows", "1000")
    assert (tmp_path / "dask.model").read_bytes() == (tmp_path / "local.model").read_bytes()


def slowly(piece: Piece, folder: Path) -> tuple[str, ...]:
    """Return the name of a piece after a while, with a sign of having begun."""
    (folder / f"{piece.path.name}-{os.getpid()}").touch()
    time.sleep(0.3)
    return (piece.path.name,)


def together(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return first + second


def test_a_worker_that_is_killed_costs_no_piece(cluster, files: Path, tmp_path: Path) -> None:  # noqa: F811
    pieces = pieces_of(str(files / "*.csv"))
    victims: list[int] = []

    def kill() -> None:
        while len(list(tmp_path.iterdir())) < 4:
            time.sleep(0.01)
        victims.append(next(nanny.pid for nanny in cluster.workers.values()))
        os.kill(victims[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with cluster_reduce(cluster.scheduler_address) as run:
        found = run(partial(slowly, folder=tmp_path), together, pieces)
    killer.join()
    assert found == tuple(piece.path.name for piece in pieces)
    begun = [path.name.rpartition("-") for path in tmp_path.iterdir()]
    assert str(victims[0]) in {process for _, _, process in begun}
    assert len(begun) > len(pieces), "nothing had to be done again"


def test_a_fit_during_which_a_worker_dies_is_the_same(cluster, files: Path) -> None:  # noqa: F811
    classifier, pieces = Recipe.load("tan").build(), pieces_of(str(files / "*.parquet"))
    victim = next(nanny.pid for nanny in cluster.workers.values())
    passes = []
    with cluster_reduce(cluster.scheduler_address) as run:

        def killing(work, merge, given):
            passes.append(work)
            if len(passes) == 2:
                threading.Timer(0.02, os.kill, (victim, signal.SIGKILL)).start()
            return run(work, merge, given)

        found = fit_pieces(classifier, pieces, rows=7, run=killing)
    assert len(passes) == 3
    local = fit_pieces(classifier, pieces, rows=70)
    assert found.statistics is not None
    assert local.statistics is not None
    np.testing.assert_array_equal(found.statistics.pairs.weight, local.statistics.pairs.weight)
    deadline = time.monotonic() + 30
    while victim in {nanny.pid for nanny in cluster.workers.values()} and time.monotonic() < deadline:
        time.sleep(0.1)
    assert victim not in {nanny.pid for nanny in cluster.workers.values()}, "no worker was killed"


def test_a_fault_in_a_file_is_said_as_on_one_machine(cluster, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.csv").write_text("n,c\n1,p\n2\n")
    with (
        cluster_reduce(cluster.scheduler_address) as run,
        pytest.raises(DataError, match=r"a\.csv:3: 1 fields, expected 2 as in the header"),
    ):
        fit_pieces(Recipe.load("sbc").build(), pieces_of(str(tmp_path / "a.csv")), run=run)


def fatal(piece: Piece) -> tuple[str, ...]:
    os._exit(1)


def test_a_piece_that_kills_every_worker_is_an_error(cluster, files: Path) -> None:  # noqa: F811
    with (
        cluster_reduce(cluster.scheduler_address) as run,
        pytest.raises(EvaluationError, match="every worker that Dask gave a piece of the data to died"),
    ):
        run(fatal, together, pieces_of(str(files / "part-0.csv")))
