"""The data set: immutable columns under declared attributes, one of them the class."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute, code_dtype
from nbframework.errors import DataError, WrongTypeError, did_you_mean

Column = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows over attributes; build one with `from_columns` or a reader, which validate.

    Parameters
    ----------
    attributes
        All attributes in file order, the class among them.
    columns
        One read-only array of length n for each attribute: nominal codes in the smallest unsigned type
        (declared values 0 to v - 1, then v = unseen, v + 1 = unknown), float64 with NaN for unknown numbers
        and dates, and objects (str or None) for strings.
    class_index
        Position of the class attribute.
    row_weights
        (n,) float64, at least 0, or None where every row has weight 1.
    name
        The relation name.
    """

    attributes: tuple[Attribute, ...]
    columns: tuple[Column, ...]
    class_index: int
    row_weights: NDArray[np.float64] | None = None
    name: str = ""

    @classmethod
    def from_columns(
        cls,
        attributes: Sequence[Attribute],
        columns: Sequence[Any],
        class_attribute: str | None = None,
        weights: Any = None,
        name: str = "",
    ) -> "Dataset":
        """Validate the parts of a data set and put them together.

        Parameters
        ----------
        attributes
            The declarations, with distinct names.
        columns
            One sequence for each attribute. A nominal column holds codes (integers) or values (text, None for
            unknown); a numeric one numbers (NaN or None for unknown); a string one text or None.
        class_attribute
            Name of the class; None takes the last attribute.
        weights
            (n,) row weights, finite and at least 0; None is weight 1 for every row.
        name
            The relation name.

        Raises
        ------
        DataError
            Naming the attribute and what is wrong with it.
        """
        if not attributes:
            raise DataError("a data set needs at least one attribute, found none")
        if len(columns) != len(attributes):
            raise DataError(f"{len(attributes)} attributes need as many columns, found {len(columns)}")
        seen: set[str] = set()
        for attribute in attributes:
            if attribute.name in seen:
                raise DataError(f"attribute {attribute.name!r} is declared twice")
            seen.add(attribute.name)
        encoded = tuple(_encode(attribute, column) for attribute, column in zip(attributes, columns, strict=True))
        rows = len(encoded[0])
        for attribute, column in zip(attributes, encoded, strict=True):
            if len(column) != rows:
                raise DataError(f"attribute {attribute.name!r} has {len(column)} rows, the first one has {rows}")
        index = attribute_index(attributes, class_attribute) if class_attribute is not None else len(attributes) - 1
        return cls(tuple(attributes), encoded, index, _row_weights(weights, rows), name)

    def __len__(self) -> int:
        return len(self.columns[0])

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        target = self.class_attribute
        of = f"({target.kind})" if target.values is None else f"of {len(target.values)} values"
        return f"<Dataset{name}: {len(self)} rows, {len(self.inputs)} attributes, class {target.name!r} {of}>"

    @property
    def class_attribute(self) -> Attribute:
        """The declaration of the class."""
        return self.attributes[self.class_index]

    @property
    def class_values(self) -> tuple[str, ...]:
        """The declared classes; raises DataError where the class attribute is not nominal."""
        attribute = self.class_attribute
        if attribute.values is None:
            position = "last attribute" if self.class_index == len(self.attributes) - 1 else "class attribute"
            raise DataError(
                f"{position} {attribute.name!r} is {attribute.kind}, but a class has to be nominal; "
                f"choose the class by name among: {', '.join(a.name for a in self.attributes if a.is_nominal) or '-'}"
            )
        return attribute.values

    @property
    def classes(self) -> Column:
        """(n,) codes of the class column."""
        return self.columns[self.class_index]

    @cached_property
    def input_indexes(self) -> tuple[int, ...]:
        """Positions of all attributes but the class."""
        return tuple(i for i in range(len(self.attributes)) if i != self.class_index)

    @cached_property
    def inputs(self) -> tuple[Attribute, ...]:
        """All attributes but the class, in file order."""
        return tuple(self.attributes[i] for i in self.input_indexes)

    @cached_property
    def input_columns(self) -> tuple[Column, ...]:
        """The columns of `inputs`."""
        return tuple(self.columns[i] for i in self.input_indexes)

    @cached_property
    def measured(self) -> NDArray[np.float64]:
        """(n, d) read-only values of the d numeric and date inputs, made once for all folds and recipes."""
        columns = [self.columns[i] for i in self.input_indexes if self.attributes[i].is_measured]
        stacked = np.empty((len(self), len(columns)), order="F")
        for index, column in enumerate(columns):
            stacked[:, index] = column
        return _frozen(stacked)

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """(n,) row weights, read-only."""
        if self.row_weights is not None:
            return self.row_weights
        return np.broadcast_to(np.float64(1.0), len(self))

    def take(self, rows: Any) -> "Dataset":
        """Return the data set of the given rows (indexes, a mask or a slice), schema unchanged."""
        columns = tuple(_frozen(column[rows]) for column in self.columns)
        weights = None if self.row_weights is None else _frozen(self.row_weights[rows])
        return Dataset(self.attributes, columns, self.class_index, weights, self.name)

    @cached_property
    def schema(self) -> "Dataset":
        """The attributes, values and class without any row."""
        return self.take([])

    def with_class(self, name: str) -> "Dataset":
        """Return the same rows with another class attribute; raises DataError on an unknown name."""
        index = attribute_index(self.attributes, name)
        return Dataset(self.attributes, self.columns, index, self.row_weights, self.name)

    def equals(self, other: "Dataset") -> bool:
        """Whether both hold the same schema, class, values, unknowns and weights."""
        return (
            self.attributes == other.attributes
            and self.class_index == other.class_index
            and len(self) == len(other)
            and all(_same(mine, theirs) for mine, theirs in zip(self.columns, other.columns, strict=True))
            and np.array_equal(self.weights, other.weights)
        )

    def unknown(self, index: int) -> NDArray[np.bool_]:
        """(n,) mask of the rows in which the attribute at ``index`` is unknown."""
        attribute, column = self.attributes[index], self.columns[index]
        if attribute.is_nominal:
            return np.asarray(column == attribute.unknown)
        if attribute.is_measured:
            return np.isnan(column)
        return np.array([value is None for value in column], dtype=bool)


def require_dataset(found: object) -> None:
    """Raise WrongTypeError, with ways to a data set, where something else is found."""
    if not isinstance(found, Dataset):
        raise WrongTypeError(
            f"expected a Dataset, found {type(found).__name__}; read_arff(path) reads one, "
            "nbframework.data.tabular.dataset_from_frame(frame) makes one of a DataFrame, and "
            "nbframework.sklearn.RecipeClassifier takes DataFrames and arrays as they are"
        )


def attribute_index(attributes: Sequence[Attribute], name: str) -> int:
    """Return the position of the attribute called ``name``; DataError with the nearest name where none is."""
    for index, attribute in enumerate(attributes):
        if attribute.name == name:
            return index
    names = [attribute.name for attribute in attributes]
    raise DataError(f"no attribute {name!r}{did_you_mean(name, names)} (attributes: {', '.join(names[:20])})")


def _frozen(column: Column) -> Column:
    column.flags.writeable = False
    return column


def _row_weights(weights: Any, rows: int) -> NDArray[np.float64] | None:
    if weights is None:
        return None
    array = np.array(weights, dtype=np.float64)
    if array.shape != (rows,):
        raise DataError(f"row weights have shape {array.shape}, expected ({rows},)")
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if bad.size:
        raise DataError(f"row {bad[0] + 1} has weight {array[bad[0]]}, expected a finite number of at least 0")
    return None if np.all(array == 1.0) else _frozen(array)


def _same(mine: Column, theirs: Column) -> bool:
    if mine.dtype == object:
        return list(mine) == list(theirs)
    return mine.dtype == theirs.dtype and np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")


def _encode(attribute: Attribute, column: Any) -> Column:
    if attribute.kind == "string":
        strings = np.empty(len(column), dtype=object)
        strings[:] = [None if value is None else str(value) for value in column]
        return _frozen(strings)
    if attribute.is_measured:
        try:
            numbers = column if _is_kept(column, np.float64) else np.array(column, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(f"attribute {attribute.name!r}: expected numbers ({error})") from error
        if np.isinf(numbers).any():
            row = int(np.flatnonzero(np.isinf(numbers))[0])
            raise DataError(f"attribute {attribute.name!r}, row {row + 1}: infinite value, expected a finite number")
        return _frozen(numbers)
    return _frozen(_nominal_codes(attribute, column))


def _is_kept(column: Any, dtype: Any) -> bool:
    """Whether a column is an array of the right type that nobody can change, and needs no copy."""
    return (
        isinstance(column, np.ndarray)
        and column.dtype == dtype
        and column.ndim == 1
        and column.flags.c_contiguous
        and column.flags.owndata
        and not column.flags.writeable
    )


def _nominal_codes(attribute: Attribute, column: Any) -> Column:
    dtype = code_dtype(attribute.cardinality)
    array = np.asarray(column)
    if array.dtype.kind in "iu":
        if len(array) and (array.max() > attribute.unknown or array.min() < 0):
            row = int(np.flatnonzero((array < 0) | (array > attribute.unknown))[0])
            raise DataError(
                f"attribute {attribute.name!r}, row {row + 1}: code {array[row]} is outside 0..{attribute.unknown}"
            )
        return array if _is_kept(array, dtype) else array.astype(dtype)
    codes = np.empty(len(array), dtype=dtype)
    for row, value in enumerate(column):
        code = attribute.unknown if value is None else attribute.code_of.get(str(value))
        if code is None:
            raise DataError(
                f"attribute {attribute.name!r}, row {row + 1}: {value!r} is not a declared value"
                f"{did_you_mean(str(value), attribute.values or ())}"
            )
        codes[row] = code
    return codes
