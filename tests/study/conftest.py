"""Small studies on bundled data sets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbframework.study.plan import Plan, plan_study
from nbframework.study.runner import Outcome, run_plan
from nbframework.study.store import Store
from nbframework.study.study import load_study

SMALL = """
study: small
recipes: [sbc, gaussian-nb]
data: [iris, monks-1]
protocol: {cross-validation: {folds: 5}}
metrics: [accuracy, log_loss]
"""


@pytest.fixture
def planned(tmp_path: Path) -> Callable[..., Plan]:
    """Plan a study given as text."""

    def plan(text: str = SMALL, **options: Any) -> Plan:
        path = tmp_path / "small.yaml"
        path.write_text(text)
        return plan_study(load_study(path), **options)

    return plan


@pytest.fixture
def ran(planned: Callable[..., Plan], tmp_path: Path) -> Callable[..., Outcome]:
    """Run a study given as text, by default into one store."""

    def run(text: str = SMALL, store: str = "small.db", jobs: int = 1, **options: Any) -> Outcome:
        with Store(tmp_path / store, write=True) as opened:
            return run_plan(planned(text, **options), opened, jobs)

    return run
