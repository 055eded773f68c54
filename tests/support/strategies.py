"""Random data sets for property tests."""

import numpy as np
from hypothesis import strategies as st

from nbframework import Attribute, Dataset

CLASSES = ("a", "b", "c")


@st.composite
def datasets(
    draw, least=6, most=24, unknown=True, no_class=True, weights=("none", "whole", "fractional"), numeric=True
):
    """Return rows over two nominal and, perhaps, two numeric attributes, with unknown values, classes and weights."""
    rows = draw(st.integers(least, most))
    seed = draw(st.integers(0, 2**32 - 1))
    generator = np.random.default_rng(seed)
    share = draw(st.sampled_from((0.0, 0.2))) if unknown else 0.0
    attributes = [Attribute.nominal("u", ["p", "q", "r"], weight=0.5), Attribute.nominal("v", ["s", "t"])]
    columns: list[np.ndarray] = [nominal(generator, rows, size, share) for size in (3, 2)]
    if numeric:
        # Few different numbers, so that ties and equal values of different classes occur.
        attributes += [Attribute.numeric("x"), Attribute.numeric("y", weight=2)]
        for scale in (1, 100):
            column = generator.integers(0, 8, rows) * 0.25 * scale
            column[generator.random(rows) < share] = np.nan
            columns.append(column)
    attributes.append(Attribute.nominal("class", CLASSES))
    classes = generator.integers(0, draw(st.integers(2, 3)), rows).astype(np.uint8)
    if no_class and draw(st.booleans()):
        classes[generator.integers(1, rows)] = len(CLASSES) + 1
    columns.append(classes)
    kind = draw(st.sampled_from(weights))
    row_weights = None
    if kind == "whole":
        row_weights = generator.integers(1, 4, rows).astype(float)
    elif kind == "fractional":
        row_weights = generator.integers(1, 20, rows) / 8
    return Dataset.from_columns(attributes, columns, weights=row_weights, name="random")


def nominal(generator, rows, size, share):
    """Return codes of which a share is unknown."""
    codes = generator.integers(0, size, rows)
    codes[generator.random(rows) < share] = size + 1
    return codes
