"""The public case of test files that declare their values in another order."""

import numpy as np
from support.builders import fitted, shares
from support.cases import needs_cases, train_and_test

pytestmark = needs_cases


def test_pers_04_values_are_matched_by_name():
    training, queries = train_and_test("PERS-04")
    colours = [queries.attributes[0].values[code] for code in queries.columns[0]]
    found = dict(zip(colours, fitted("recipe: t", training).predict_proba(queries), strict=True))
    np.testing.assert_allclose(found["red"], shares("0.8 0.2")[0], atol=1e-14)
    np.testing.assert_allclose(found["blue"], shares("0.2 0.8")[0], atol=1e-14)
