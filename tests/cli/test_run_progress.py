"""What ``nbf run`` tells of the time that is left."""

from types import SimpleNamespace
from typing import Any

import pytest

from nbframework.cli import run
from nbframework.cli.run import Watch
from nbframework.study.runner import State


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """Return the time in seconds."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(run, "time", found)
    return found


def watch() -> Watch:
    plan: Any = SimpleNamespace(study=SimpleNamespace(name="s", recipes=("sbc",)), data=("iris",), tasks=(), loaded={})
    return Watch(plan)


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err.strip()


def test_what_comes_before_the_first_result_is_no_time_of_a_fold(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    seen, state = watch(), State(folds=1000, done=600, before=600, data="iris")
    told(capsys)
    # five seconds pass until the first of 400 folds is there, and then each takes a tenth of a second
    clock.now, state.done = 105.0, 601
    seen(state)
    assert told(capsys) == "iris: 601 of 1000 folds"
    clock.now, state.done = 107.0, 621
    seen(state)
    assert told(capsys) == "iris: 621 of 1000 folds, about 38 s left"


def test_one_fold_alone_tells_no_time(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    seen, state = watch(), State(folds=10, done=1, before=0, data="iris")
    told(capsys)
    seen(state)
    clock.now, state.done = 103.0, 2
    seen(state)
    assert told(capsys) == "iris: 2 of 10 folds"
    clock.now, state.done = 106.0, 3
    seen(state)
    assert told(capsys) == "iris: 3 of 10 folds, about 21 s left"
