"""Data sets that come over the wire: arrays at any byte are put where the kernels can read them."""

from dataclasses import replace

import numpy as np

from nbframework import Recipe
from nbframework.study.cluster import aligned
from nbframework.testing.datasets import mixed


def at_an_odd_byte(array):
    memory = bytearray(array.nbytes + 1)
    memory[1:] = array.tobytes()
    found = np.frombuffer(memory, dtype=array.dtype, offset=1)
    found.flags.writeable = False
    return found


def test_arrays_at_any_byte_are_copied_and_the_data_set_stays_the_same():
    data = mixed(30, unknown=False)
    weighted = replace(data, row_weights=np.arange(1.0, 31.0))
    sent = replace(
        data,
        columns=tuple(at_an_odd_byte(column) for column in data.columns),
        row_weights=at_an_odd_byte(weighted.row_weights),
    )
    assert not sent.row_weights.flags.aligned
    found = aligned(sent)
    assert found.equals(weighted)
    assert all(column.flags.aligned and not column.flags.writeable for column in found.columns)
    assert found.row_weights.flags.aligned
    recipe = Recipe.load("sbc")
    expected = recipe.build().fit(weighted).predict_proba(weighted)
    np.testing.assert_array_equal(recipe.build().fit(found).predict_proba(found), expected)


def test_arrays_that_can_be_read_are_not_copied():
    data = mixed(30)
    assert aligned(data) is data
