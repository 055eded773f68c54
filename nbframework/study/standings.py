"""How the recipes of a run stand on a data set, as soon as its last fold is done."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nbframework.study.plan import Task
from nbframework.study.work import Failure, FoldResult, Work


@dataclass(frozen=True)
class Standing:
    """What a run has found on one data set.

    Parameters
    ----------
    data
        Name of the data set.
    metric
        Name of the score.
    means
        The mean score over the folds by `Task.method`; None where it failed or a fold has no score.
    """

    data: str
    metric: str
    means: Mapping[str, float | None]


class Standings:
    """Adds up the results of a run by task, and tells when a data set is complete.

    Parameters
    ----------
    tasks
        The tasks of the run by number.
    works
        What is still to be done.
    metric
        The score to add up.
    earlier
        By task the sum and the number of the scores that there are already.
    """

    def __init__(
        self, tasks: Mapping[int, Task], works: Iterable[Work], metric: str, earlier: Mapping[int, tuple[float, int]]
    ) -> None:
        self._tasks, self._metric = tasks, metric
        self._sums = {number: earlier.get(number, (0.0, 0)) for number in tasks}
        self._of_data: dict[str, list[int]] = {}
        for number, task in tasks.items():
            self._of_data.setdefault(task.data.name, []).append(number)
        self._left = dict.fromkeys(tasks, 0)
        self._left_of_data = dict.fromkeys(self._of_data, 0)
        for work in works:
            for assignment in work.assignments:
                self._left[assignment.task] += len(assignment.missing)
                self._left_of_data[work.data.name] += len(assignment.missing)
        self._failed: set[int] = set()

    def add(self, result: FoldResult | Failure) -> Standing | None:
        """Take a result in; return how its data set stands where it was the last one."""
        left, name = self._left[result.task], self._tasks[result.task].data.name
        if not left:
            return None
        done = 1
        if isinstance(result, Failure):
            self._failed.add(result.task)
            done = left
        else:
            value = result.scores[self._metric]
            total, count = self._sums[result.task]
            self._sums[result.task] = total + (math.nan if value is None else value), count + 1
        self._left[result.task] -= done
        self._left_of_data[name] -= done
        return None if self._left_of_data[name] else self._standing(name)

    def _standing(self, name: str) -> Standing:
        numbers = self._of_data[name]
        return Standing(name, self._metric, {self._tasks[number].method: self._mean(number) for number in numbers})

    def _mean(self, number: int) -> float | None:
        total, count = self._sums[number]
        return None if number in self._failed or not count or math.isnan(total) else total / count
