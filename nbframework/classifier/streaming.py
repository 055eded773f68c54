"""Fitting on rows that are read a few at a time, by one machine or by many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.from_statistics import fit_statistics, learned_cuts
from nbframework.classifier.gathering import Gathering, check_parts, gathering, statistics_of
from nbframework.classifier.model import Classifier, Seed
from nbframework.classifier.training import check_schema, nothing_to_learn
from nbframework.classifier.training_statistics import TrainingStatistics
from nbframework.data.dataset import Dataset
from nbframework.data.pieces import Piece, Reduce, in_order, piece_chunks
from nbframework.data.scan import schema_of
from nbframework.statistics.value_table import EXACT_VALUES

CHUNK_ROWS = 100_000
"""Rows that are read at a time where nobody says another number."""
MOST_NAMED = 5


def fit_pieces(
    classifier: Classifier,
    pieces: Sequence[Piece],
    class_attribute: str | None = None,
    rows: int = CHUNK_ROWS,
    run: Reduce = in_order,
    seed: Seed = 0,
) -> FittedClassifier:
    """Fit on the rows of files, of which a few are in memory at a time.

    The result is that of `Classifier.fit` on all of them: the same counts where row weights are whole, the same to
    rounding elsewhere. Cut points are learned in a pass of their own, if need be; of an attribute with more distinct
    values than `EXACT_VALUES` they are those of rows that have moved by a few ranks, which a note says.

    Parameters
    ----------
    classifier
        What to fit.
    pieces
        The rows, as `pieces_of` cuts them.
    class_attribute
        Name of the class; None takes the last attribute.
    rows
        Rows in memory at a time.
    run
        Who reads the pieces and puts their statistics together.
    seed
        Seed of everything random.

    Raises
    ------
    DataError
        Where a file cannot be read.
    EvaluationError
        Where the recipe learns more than sums over rows, naming the part, or there is nothing to learn from.
    """
    check_parts(classifier)
    schema = schema_of(pieces, class_attribute, run, rows)
    if not schema.class_values and not _has_rows(pieces, schema, rows):
        raise nothing_to_learn(0, schema)
    check_schema(schema)
    wanted = gathering(classifier, schema)
    statistics, notes = _gathered(wanted, schema, pieces, rows, run)
    return fit_statistics(classifier, statistics, notes, seed=seed)


def _has_rows(pieces: Sequence[Piece], schema: Dataset, rows: int) -> bool:
    return any(len(chunk) for piece in pieces for chunk in piece_chunks(piece, schema, rows))


@dataclass(frozen=True)
class Gather:
    """Gathers the statistics of a piece.

    Parameters
    ----------
    wanted
        Which ones.
    schema
        Of all pieces.
    rows
        Rows to read at a time.
    """

    wanted: Gathering
    schema: Dataset
    rows: int

    def __call__(self, piece: Piece) -> TrainingStatistics:
        """Return the statistics."""
        total = statistics_of(self.schema, self.wanted)
        for chunk in piece_chunks(piece, self.schema, self.rows):
            total = total.merge(statistics_of(chunk, self.wanted))
        return total


def _gathered(
    wanted: Gathering, schema: Dataset, pieces: Sequence[Piece], rows: int, run: Reduce
) -> tuple[TrainingStatistics, tuple[str, ...]]:
    """Return the statistics, in two passes where cut points have to be known first, and what to say of them."""
    discretizer = wanted.discretizer
    if wanted.numbers != "values" or discretizer.keeps_numeric:
        return run(Gather(wanted, schema, rows), TrainingStatistics.merge, pieces), ()
    by_range = discretizer.sufficient == "range"
    first_pass = replace(wanted, pairs=False, numbers="extremes" if by_range else "values")
    values = run(Gather(first_pass, schema, rows), TrainingStatistics.merge, pieces)
    if not by_range and not wanted.pairs and all(table.is_exact for table in values.tables):
        # the counts of intervals follow from those of values
        return values, ()
    second_pass = replace(wanted, numbers="none", cuts=learned_cuts(discretizer, values))
    return run(Gather(second_pass, schema, rows), TrainingStatistics.merge, pieces), _notes(values)


def _notes(values: TrainingStatistics) -> tuple[str, ...]:
    """Return which cut points are those of rows that have moved, and how far."""
    moved = [
        (values.schema.inputs[position].name, table.moved / table.weight)
        for position, table in zip(values.measured_inputs.tolist(), values.tables, strict=True)
        if not table.is_exact
    ]
    if not moved:
        return ()
    names = ", ".join(name for name, _ in moved[:MOST_NAMED]) + (", ..." if len(moved) > MOST_NAMED else "")
    share = max(share for _, share in moved)
    return (
        f"more than {EXACT_VALUES} distinct values in {len(moved)} attributes ({names}): their cut points are those of "
        f"rows moved by at most {share:.2g} of all rows",
    )
