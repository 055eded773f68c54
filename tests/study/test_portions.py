"""How work is cut for several workers: nothing twice, nothing left out, large data sets first, recipes together."""

import pytest

from nbframework.study import runner
from nbframework.study.portions import portions
from nbframework.study.store import Store
from nbframework.study.work import Failure, remaining
from nbframework.study.workers import note_failures, without

REPEATED = """
study: s
recipes: [sbc, laplace-1]
data: [iris, monks-1, digits]
protocol: {cross-validation: {repeats: 70}}
"""


@pytest.fixture
def works(planned, tmp_path):
    """Return the work of a study given as text."""

    def of(text):
        plan = planned(text)
        with Store(tmp_path / "s.db", write=True) as store:
            _, numbers = store.begin(plan)
            return runner._missing(plan, numbers, store)[0]

    return of


def folds(portion):
    return [(a.task, *place) for a in portion.assignments for place in a.missing]


@pytest.mark.parametrize("repeats", [1, 2, 70])
@pytest.mark.parametrize("workers", [2, 5])
def test_every_fold_of_every_task_is_in_one_portion(works, repeats, workers):
    whole = works(REPEATED.replace("70", str(repeats)))
    cut = [fold for portion in portions(whole, workers) for fold in folds(portion)]
    assert len(cut) == 3 * 2 * 10 * repeats
    assert sorted(cut) == sorted(fold for work in whole for fold in folds(work))


def test_large_data_sets_come_first(works):
    sizes = [portion.data.rows * portion.data.attributes for portion in portions(works(REPEATED), 2)]
    assert sizes == sorted(sizes, reverse=True)


def test_repeats_stay_whole_where_there_are_enough(works):
    """Two workers and three data sets make 11 portions of each."""
    cut = portions(works(REPEATED), 2)
    assert len(cut) == 3 * 11
    for portion in cut:
        for assignment in portion.assignments:
            whole = {repeat for repeat, _ in assignment.missing}
            assert assignment.missing == {(repeat, fold) for repeat in whole for fold in range(10)}


def test_the_recipes_of_a_fold_stay_together(works):
    for portion in portions(works(REPEATED), 2):
        first, second = portion.assignments
        assert first.missing == second.missing


def test_few_repeats_are_cut_at_folds(works):
    cut = portions(works("study: s\nrecipes: [sbc]\ndata: [iris]\n"), 2)
    assert [sorted(portion.assignments[0].missing) for portion in cut] == [[(0, fold)] for fold in range(10)]


def test_a_single_fold_is_cut_at_tasks(works):
    cut = portions(works("study: s\nrecipes: [sbc, laplace-1]\ndata: [iris]\nprotocol: leave-one-out\n"), 2)
    assert [[a.recipe.name for a in portion.assignments] for portion in cut] == [["sbc"], ["laplace-1"]]


def test_a_task_with_a_limit_of_time_is_one_portion(works):
    cut = portions(works(REPEATED + "limits: {seconds: 5}\n"), 2)
    assert [len(folds(portion)) for portion in cut] == [700] * 6


def test_a_worker_keeps_the_predictions_of_one_repeat_at_most(works):
    for portion in portions(works(REPEATED + "predictions: true\n"), 2):
        assert len({repeat for assignment in portion.assignments for repeat, _ in assignment.missing}) == 1


@pytest.fixture
def halves(works):
    """One task in two portions: the first five folds and the others."""
    (work,) = works("study: s\nrecipes: [sbc]\ndata: [iris]\n")
    cut = portions([work, *[work] * 31], 2)[:2]
    assert [sorted(portion.assignments[0].missing)[0] for portion in cut] == [(0, 0), (0, 5)]
    return cut


def test_folds_after_the_one_that_failed_are_not_tried(halves):
    first, second = halves
    failed = {}
    note_failures(failed, [Failure(first.assignments[0].task, "so", (0, 3))])
    assert without(second, failed) is None


def test_folds_before_the_one_that_failed_are_tried_so_that_the_first_failure_is_found(halves):
    first, second = halves
    failed = {}
    note_failures(failed, [Failure(second.assignments[0].task, "so", (0, 7))])
    assert folds(without(first, failed)) == folds(first)
    assert remaining(second, [Failure(second.assignments[0].task, "so", (0, 7))]) is None
