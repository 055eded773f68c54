"""Kohavi, Becker & Sommerfield 1997: the shipped studies against the printed tables."""

import csv
import functools

import numpy as np
import pytest

from nbframework.evaluation.desk import mean_error_ratio
from nbframework.study.plan import plan_study
from nbframework.study.results import read_run
from nbframework.study.runner import run_plan
from nbframework.study.store import Store
from nbframework.study.study import load_study


@pytest.fixture(scope="module")
def errors(tmp_path_factory, shared):
    """Run a study, once, and return its errors."""

    @functools.cache
    def of(name):
        path = tmp_path_factory.mktemp("kohavi") / "s.db"
        with Store(path, write=True) as store:
            outcome = run_plan(plan_study(load_study(name), shared / "datasets"), store)
            assert outcome.failures == ()
            return read_run(store, outcome.run).table("error")

    return of


def printed(shared, number):
    with (shared / "papers" / f"kohavi1997_table{number}.csv").open() as stream:
        return list(csv.DictReader(stream))


def test_table_2(errors, shared):
    table = errors("kohavi1997-table2")
    rows = printed(shared, 2)
    found = np.array([100 * table.mean(row["dataset"], "sbc") for row in rows])
    error, sd = (np.array([float(row[key]) for row in rows]) for key in ("sbc_error", "sbc_sd"))
    assert len(rows) == 37
    assert np.abs(found - error).mean() <= 1.2
    assert {row["dataset"] for row, far in zip(rows, np.abs(found - error) > 3 * sd, strict=True) if far} == set()


def test_the_deviations_of_table_2_for_given_splits(errors, shared):
    """sqrt(e (1 - e) / n) is the same figure wherever the error is."""
    table = errors("kohavi1997-table2")
    for row in printed(shared, 2):
        if row["dataset"] in ("adult", "letter", "satimage", "dna"):
            assert 100 * table.sd(row["dataset"], "sbc") == pytest.approx(float(row["sbc_sd"]), abs=0.011)


def test_table_1(errors, shared):
    table = errors("kohavi1997-table1")
    rows = {row["method"]: float(row["mean_error_ratio"]) for row in printed(shared, 1)}
    found = {method: mean_error_ratio(table, method, "no-match-pc")[0] for method in rows}
    close = [method for method, ratio in rows.items() if abs(found[method] - ratio) <= 0.03]
    assert set(rows) == set(table.methods)
    assert len(close) >= 7
    # the ends of the order: the paper's best method, and its two worst ones
    assert min(found, key=found.get) == "laplace-m"
    assert sorted(found, key=found.get)[-2:] == ["laplace-1", "no-match-0"]
