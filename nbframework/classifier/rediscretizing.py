"""Cut points learned anew inside each neighbourhood."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.encoding import cut_points
from nbframework.classifier.training_tables import TrainingTables
from nbframework.data.attribute import code_dtype
from nbframework.data.codes import Codes
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.rows import Rows, Training

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def rediscretized(tables: TrainingTables, local: Training, queries: Rows) -> tuple[Training, Rows]:
    """Return neighbours and queries encoded under cut points of each query's own neighbours.

    The codes of all groups share one layout, padded to the largest number of values; each group's own number of
    values stands in ``cardinality``. Each group's ``reference`` is the table of all training rows under its cut points.

    Parameters
    ----------
    tables
        The whole training set.
    local
        The neighbours, one group for each query.
    queries
        As many rows as there are groups.
    """
    encoder = tables.encoder
    if local.start is None:
        raise ValueError("the training rows are not cut into groups")
    groups = len(local.start) - 1
    rows, asked = local.dataset, queries.dataset
    near_columns, query_columns, sizes = [], [], []
    learned: dict[int, list[FloatArray]] = {}
    own = np.empty((groups, len(local.coded_inputs)))
    for index, position in enumerate(local.coded_inputs.tolist()):
        if position not in encoder.cuts:
            near_columns.append(rows.input_columns[position])
            query_columns.append(asked.input_columns[position])
            own[:, index] = rows.inputs[position].cardinality
            sizes.append(rows.inputs[position].cardinality)
            continue
        near, query, own[:, index], learned[position] = _column(
            encoder.discretizer, local, position, asked.input_columns[position]
        )
        size = int(own[:, index].max())
        near_columns.append(_padded(near, own[local.group, index], size))
        query_columns.append(_padded(query, own[:, index], size))
        sizes.append(size)
    near_codes = encoder.missing.recode(Codes(tuple(near_columns), tuple(sizes), len(rows)))
    query_codes = encoder.missing.recode(Codes(tuple(query_columns), tuple(sizes), len(asked)))
    grown = np.asarray(near_codes.cardinality) - np.asarray(sizes)
    return (
        replace(
            local,
            source=rows,
            selection=None,
            source_codes=near_codes,
            source_measured=local.measured,
            cardinality=own + grown,
            reference=tables.under(learned, own, sizes),
        ),
        replace(queries, source=asked, selection=None, source_codes=query_codes, source_measured=queries.measured),
    )


def _column(
    discretizer: Discretizer, local: Training, position: int, asked: FloatArray
) -> tuple[IntArray, IntArray, FloatArray, list[FloatArray]]:
    """Return the codes of neighbours and queries (-1 unknown), and each group's number of values and cut points."""
    values = local.dataset.input_columns[position]
    near = np.full(len(values), -1, dtype=np.intp)
    query = np.full(len(asked), -1, dtype=np.intp)
    sizes = np.empty(len(asked))
    order = np.lexsort((values, local.group))
    start = local.start if local.start is not None else np.array([0, len(values)])
    known = ~np.isnan(values)
    learned = []
    for group in range(len(asked)):
        rows = order[start[group] : start[group + 1]]
        rows = rows[known[rows] & (local.weights[rows] > 0)]
        cuts = cut_points(discretizer, values[rows], local.classes[rows], local.weights[rows])
        near[rows] = discretizer.encode(values[rows], cuts)
        if not np.isnan(asked[group]):
            query[group] = discretizer.encode(asked[group : group + 1], cuts)[0]
        sizes[group] = discretizer.cardinality(cuts)
        learned.append(cuts)
    return near, query, sizes, learned


def _padded(codes: IntArray, own: FloatArray, size: int) -> NDArray[np.unsignedinteger]:
    """Move unseen and unknown codes to where the padded layout has them."""
    padded = np.where(codes >= own, size, codes)
    return np.where(codes < 0, size + 1, padded).astype(code_dtype(size))
