"""A tiny printed table and its target, by hand."""

import textwrap

import numpy as np
import pytest

from nbframework.evaluation.scores import ScoreTable
from nbframework.reproduction.definition import load_target
from nbframework.reproduction.measured import Measured

PRINT = """\
data set,plain,plain_sd,smooth
one,80.0,4.0,90.0
two,70.0,,60.0
mean,75.00,,75.00
"""
TARGET = """\
reproduction: paper-table9
title: A small table
source: A paper, Table 9
study: {study}
printed: paper-table9
unit: percent
columns:
  plain: nb
  smooth: laplace
  gain: {{minus: [smooth, plain]}}
averages: {{mean: {{}}}}
tolerance: {{absolute: 1.0, deviations: 0.5}}
"""


@pytest.fixture
def target_of(tmp_path):
    """Return a target of the small table, with more keys."""

    def made(more="", study="small"):
        (tmp_path / "paper-table9.csv").write_text(PRINT)
        path = tmp_path / "paper-table9.yaml"
        path.write_text(TARGET.format(study=study) + textwrap.dedent(more))
        return load_target(path, tmp_path)

    return made


@pytest.fixture
def table():
    """Accuracies over four folds: means .81, .725 and .87, .60."""
    scores = {
        ("one", "nb"): np.array([0.80, 0.82, 0.81, 0.81]),
        ("two", "nb"): np.array([0.72, 0.73, 0.72, 0.73]),
        ("one", "laplace"): np.array([0.87, 0.86, 0.88, 0.87]),
        ("two", "laplace"): np.array([0.60, 0.60, 0.59, 0.61]),
    }
    return ScoreTable("accuracy", ("one", "two"), ("nb", "laplace"), scores, test_ratio=dict.fromkeys(scores, 1 / 3))


@pytest.fixture
def measured_of(target_of, table):
    """Return the figures of the small table, under a target with more keys."""

    def made(more="", **options):
        return Measured(target_of(more), {"accuracy": table}, **options)

    return made
