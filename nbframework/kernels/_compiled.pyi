from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def class_counts(
    columns: tuple[NDArray[Any], ...],
    offset: NDArray[Any],
    classes: NDArray[Any],
    weights: NDArray[Any] | None,
    rows: NDArray[Any] | None,
    cells: NDArray[Any],
    /,
) -> None: ...
def pair_counts(
    columns: tuple[NDArray[Any], ...],
    first: NDArray[Any],
    classes: NDArray[Any],
    weights: NDArray[Any] | None,
    rows: NDArray[Any] | None,
    table: NDArray[Any],
    /,
) -> None: ...
def log_scores(
    columns: tuple[NDArray[Any], ...],
    offset: NDArray[Any],
    table: NDArray[Any],
    start: NDArray[Any],
    scores: NDArray[Any],
    /,
) -> None: ...
def log_posteriors(scores: NDArray[Any], out: NDArray[Any], top: NDArray[Any], /) -> None: ...
def best_classes(scores: NDArray[Any], order: NDArray[Any], tolerance: float, out: NDArray[Any], /) -> None: ...
def group_scores(
    columns: tuple[NDArray[Any], ...],
    offset: NDArray[Any],
    group: NDArray[Any],
    table: NDArray[Any],
    start: NDArray[Any],
    scores: NDArray[Any],
    /,
) -> None: ...
def squared_distances(
    queries: tuple[NDArray[Any], ...],
    training: tuple[NDArray[Any], ...],
    bounds: NDArray[Any],
    farthest: float,
    rescale: bool,
    out: NDArray[Any],
    /,
) -> None: ...
def nearest_rows(
    queries: tuple[NDArray[Any], ...],
    training: tuple[NDArray[Any], ...],
    bounds: NDArray[Any],
    farthest: float,
    rescale: bool,
    k: int,
    tolerance: float,
    left_out: NDArray[Any] | None,
    /,
) -> tuple[bytearray, bytearray, bytearray]: ...
def smallest(
    distance: NDArray[Any], k: int, tolerance: float, left_out: NDArray[Any] | None, /
) -> tuple[bytearray, bytearray, bytearray]: ...
def kappa_sums(
    queries: tuple[NDArray[Any], ...],
    training: tuple[NDArray[Any], ...],
    bounds: NDArray[Any],
    farthest: float,
    rescale: bool,
    class_start: NDArray[Any],
    exponents: NDArray[Any],
    weights: NDArray[Any] | None,
    left_out: NDArray[Any] | None,
    nodes: NDArray[Any] | None,
    coefficients: NDArray[Any] | None,
    error: float,
    out: NDArray[Any],
    /,
) -> None: ...
def power_sums(
    logs: NDArray[Any],
    class_start: NDArray[Any],
    exponents: NDArray[Any],
    weights: NDArray[Any] | None,
    left_out: NDArray[Any] | None,
    nodes: NDArray[Any] | None,
    coefficients: NDArray[Any] | None,
    error: float,
    out: NDArray[Any],
    /,
) -> None: ...
def conditional_likelihood_ascent(
    log_prior: NDArray[Any],
    log_factors: NDArray[Any],
    classes: NDArray[Any],
    row_weights: NDArray[Any],
    start: NDArray[Any],
    points: NDArray[Any],
    finished: NDArray[Any],
    lower: float,
    upper: float,
    first: float,
    pull: float,
    tolerance: float,
    iterations: int,
    /,
) -> None: ...
def entropy_cuts(
    values: NDArray[Any],
    classes: NDArray[Any],
    class_count: int,
    weights: NDArray[Any] | None,
    kononenko: bool,
    count_boundaries: bool,
    lgamma: Callable[[float], float],
    /,
) -> list[float]: ...
def arff_lines(data: str | bytes | memoryview, start: int, /) -> int: ...
def arff_rows(
    data: str | bytes | memoryview,
    start: int,
    values: tuple[tuple[bytes, ...] | None, ...],
    columns: tuple[NDArray[Any], ...],
    /,
) -> tuple[int, int]: ...
def csv_rows(
    data: bytes | memoryview,
    start: int,
    forms: bytes,
    unknown: tuple[bytes, ...],
    columns: tuple[NDArray[Any] | None, ...],
    capacity: int,
    /,
) -> tuple[int, int, tuple[list[bytes] | bool, ...]]: ...
def column_cuts(
    columns: tuple[NDArray[Any], ...],
    orders: tuple[NDArray[Any], ...],
    times: NDArray[Any] | None,
    classes: NDArray[Any],
    class_count: int,
    kononenko: bool,
    count_boundaries: bool,
    lgamma: Callable[[float], float],
    /,
) -> list[list[float]]: ...
def node_cuts(
    node: NDArray[Any],
    values: NDArray[Any],
    classes: NDArray[Any],
    weights: NDArray[Any],
    amounts: NDArray[Any],
    class_count: int,
    total: NDArray[Any],
    minimum: float,
    share: float,
    most: float,
    closest: float,
    tolerance: float,
    found: NDArray[Any],
    /,
) -> None: ...
def parent_sums(
    columns: tuple[NDArray[Any], ...],
    offset: NDArray[Any],
    tables: tuple[NDArray[Any], ...],
    start: NDArray[Any],
    log_weight: NDArray[Any],
    sums: NDArray[Any],
    /,
) -> None: ...
def tree_sums(
    attribute: NDArray[Any],
    cut: NDArray[Any],
    first_child: NDArray[Any],
    branches: NDArray[Any],
    share: NDArray[Any],
    columns: tuple[NDArray[Any], ...],
    slack: float,
    table: NDArray[Any],
    sums: NDArray[Any],
    /,
) -> None: ...
def interval_codes(values: NDArray[Any], cuts: NDArray[Any], unknown: int, out: NDArray[Any], /) -> None: ...
def gaussian_scores(
    values: NDArray[Any], mean: NDArray[Any], variance: NDArray[Any], scores: NDArray[Any], /
) -> None: ...
def count_scores(counts: NDArray[Any], log_share: NDArray[Any], scores: NDArray[Any], /) -> None: ...
def threshold_scores(
    values: NDArray[Any], threshold: float, above: NDArray[Any], below: NDArray[Any], scores: NDArray[Any], /
) -> None: ...
def class_totals(
    values: NDArray[Any], classes: NDArray[Any], weights: NDArray[Any], totals: NDArray[Any], /
) -> None: ...
def threshold_totals(
    values: NDArray[Any],
    threshold: float,
    classes: NDArray[Any],
    weights: NDArray[Any],
    totals: NDArray[Any],
    /,
) -> None: ...
def class_moments(
    values: NDArray[Any], classes: NDArray[Any], weights: NDArray[Any], moments: NDArray[Any], /
) -> None: ...
