"""One model on a Dask cluster: its workers read the pieces of the data; their statistics are merged as a tree."""

import contextlib
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from nbframework.data.pieces import Piece, Reduce
from nbframework.errors import EvaluationError
from nbframework.study.cluster import connected

T = TypeVar("T")


@contextlib.contextmanager
def cluster_reduce(scheduler: str) -> Iterator[Reduce]:
    """Give a `Reduce` whose work is done by the workers of a cluster that others have started.

    They read the files themselves, under the paths that they have here. Work of a worker that dies is done again by
    another one.

    Parameters
    ----------
    scheduler
        Address of the scheduler.

    Raises
    ------
    EvaluationError
        Where the cluster cannot be reached, runs other versions, is lost on the way, or a piece kills every worker.
    """
    with connected(scheduler) as client:

        def run(work: Callable[[Piece], T], merge: Callable[[T, T], T], pieces: Sequence[Piece]) -> T:
            futures = [client.submit(_There(work), _absolute(piece), pure=False) for piece in pieces]
            while len(futures) > 1:
                pairs = [futures[first : first + 2] for first in range(0, len(futures), 2)]
                # what is not kept here is forgotten there as soon as it has been put together
                futures = [client.submit(merge, *pair, pure=False) if len(pair) > 1 else pair[0] for pair in pairs]
            result: T = copy.deepcopy(_result(futures[0], scheduler))
            return result

        yield run


@dataclass(frozen=True)
class _There:
    """Work as a worker does it.

    The arrays that Dask sends lie in one buffer, where numbers may begin at any byte; the kernels want them aligned, as
    copies are.
    """

    work: Callable[[Piece], Any]

    def __call__(self, piece: Piece) -> Any:
        return copy.deepcopy(self.work)(piece)


def _absolute(piece: Piece) -> Piece:
    return Piece(piece.path.absolute(), piece.groups)


def _result(future: Any, scheduler: str) -> Any:
    from distributed import CancelledError, KilledWorker  # type: ignore[import-not-found,unused-ignore]  # an extra

    try:
        return future.result()
    except KilledWorker as error:
        raise EvaluationError(f"{scheduler}: every worker that Dask gave a piece of the data to died") from error
    except (CancelledError, OSError, TimeoutError) as error:
        raise EvaluationError(f"{scheduler}: the scheduler is gone ({error})") from error
