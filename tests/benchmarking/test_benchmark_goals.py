"""Goals, growth and the table: what the benchmarks say about the figures that they measure."""

import pytest

from benchmarks.goals import GOALS, LIMITS, READING, Goal, goal_of
from benchmarks.measuring import Timing, extra_megabytes, growth_exponent, run_process, timed_together
from benchmarks.reasons import REASONS
from benchmarks.session import Session
from benchmarks.table import number, table


def test_a_goal_of_times_faster_is_met_from_its_bound_on() -> None:
    goal = Goal("count", "fit", "peer", "times faster", 100, 2)
    assert goal.met(product=1.0, peer=100.0)
    assert not goal.met(product=1.0, peer=99.0)


def test_a_goal_of_times_at_most_is_met_up_to_its_bound() -> None:
    goal = Goal("count", "fit", "limit", "times at most", 8, 2)
    assert goal.met(product=8.0, peer=1.0)
    assert not goal.met(product=8.1, peer=1.0)


def test_an_amount_is_compared_without_a_peer() -> None:
    goal = Goal("start_up", "help", "", "at most", 150, 2)
    assert goal.met(150.0, None)
    assert not goal.met(150.1, None)


def test_no_two_goals_bound_the_same_figure() -> None:
    keys = [(goal.subject, goal.task, goal.peer) for goal in GOALS]
    assert len(keys) == len(set(keys))


def test_a_comparison_without_goal_has_none() -> None:
    assert goal_of("count", "fit", "nobody") is None


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_growth_of_a_power_is_its_exponent(power: float) -> None:
    sizes = [10, 20, 40, 80]
    assert growth_exponent(sizes, [3.0 * size**power for size in sizes]) == pytest.approx(power, abs=1e-12)


def test_growth_over_one_size_is_refused() -> None:
    with pytest.raises(ValueError, match="two different sizes"):
        growth_exponent([5, 5], [1.0, 2.0])


def test_tasks_take_turns() -> None:
    order: list[str] = []
    timed_together({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, runs=3)
    assert order == ["a", "b"] * 4


def test_the_median_of_runs_is_the_figure() -> None:
    assert Timing.of([5.0, 1.0, 2.0]) == Timing(2.0, 1.0, 5.0, 3)


def test_extra_memory_leaves_the_result_out_unless_it_is_asked_for() -> None:
    def task() -> bytes:
        work = bytearray(3_000_000)
        return bytes(work[:1_000_000])

    assert extra_megabytes(task, result=True) >= 4.0
    assert extra_megabytes(task) >= 2.9


def test_a_process_that_fails_raises_with_its_output() -> None:
    with pytest.raises(RuntimeError, match="exit code 3"):
        run_process(["sh", "-c", "exit 3"])


def test_a_session_judges_a_comparison_by_its_goal() -> None:
    session = Session("score")
    slow, fast = Timing(50.0, 50.0, 50.0, 3), Timing(1.0, 1.0, 1.0, 3)
    session.compare("predict", "user", "tiny", fast, {"scikit-learn CategoricalNB": slow})
    (entry,) = session.comparisons
    assert (entry["ratio"], entry["goal"], entry["step"], entry["met"]) == (50.0, ">= 20 x", 2, True)


def test_a_quick_session_judges_nothing() -> None:
    session = Session("score", quick=True)
    some = Timing(1.0, 1.0, 1.0, 1)
    session.compare("predict", "user", "tiny", some, {"scikit-learn CategoricalNB": some})
    assert session.comparisons[0]["met"] is None


def test_a_peer_that_is_not_installed_is_skipped_with_a_reason() -> None:
    session = Session("score")
    assert session.module("no_such_module_of_a_peer", "some peer") is None
    assert session.skipped[0]["what"] == "some peer"
    assert "no_such_module_of_a_peer" in session.skipped[0]["reason"]


def test_weka_without_a_jar_is_skipped_with_a_reason() -> None:
    session = Session("count")
    assert session.java("read", 1, ["file"]) == {}
    assert "no jar named" in session.skipped[0]["reason"]


def test_the_table_marks_a_goal_that_is_missed() -> None:
    session = Session("neighbours")
    some = Timing(1.0, 1.0, 1.0, 1)
    session.compare("kappa, real", "kernel", "tiny", some, {"cdist and power": some})
    machine = {"processor": "p", "cores": 1, "system": "s", "python": "3", "packages": {}, "kernels": "numpy"}
    results = {"machine": machine, "weka": [], "seed": 1, "quick": False, "subjects": [session.result()]}
    assert "| >= 3 x | **no** |" in table(results)
    assert "- neighbours, kappa, real, cdist and power: the reason is not known." in table(results)


def test_the_table_names_a_peer_that_is_faster_but_no_limit() -> None:
    session = Session("trees")
    slow, fast = Timing(2.0, 2.0, 2.0, 1), Timing(1.0, 1.0, 1.0, 1)
    session.compare("predict, C4.5", "user", "tiny", slow, {"Weka J48": fast, READING: fast})
    machine = {"processor": "p", "cores": 1, "system": "s", "python": "3", "packages": {}, "kernels": "numpy"}
    results = {"machine": machine, "weka": [], "seed": 1, "quick": False, "subjects": [session.result()]}
    assert "where no goal is set, and why:\n\n- trees, predict, C4.5, Weka J48: " in table(results)
    assert f"{READING}: the reason" not in table(results)


def test_every_reason_belongs_to_a_goal_or_a_rival() -> None:
    assert [key for key in REASONS if goal_of(*key) is None and key[2] in {"", *LIMITS}] == []


@pytest.mark.parametrize(("value", "shown"), [(1234.5, "1,234"), (12.345, "12.3"), (0.0, "0"), (0.00012, "1.2e-04")])
def test_figures_have_three_digits(value: float, shown: str) -> None:
    assert number(value) == shown
