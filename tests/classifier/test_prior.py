"""The prior of a recipe, joined to the conditionals of its estimator."""

import numpy as np
from support.builders import counts_of, logs

from nbframework.classifier.prior import EstimatorWithPrior
from nbframework.plugins import installed

# Eight rows: five of class a, three of class b, none of class c.
COUNTS = counts_of([[[3, 1, 0, 1], [0, 2, 1, 0], [0, 0, 0, 0]]], [5, 3, 0])


def estimator(name, **parameters):
    return installed().find("estimator", name).part(**parameters)


def test_dropped_classes_leave_the_smoothing_of_the_prior():
    # class c is declared and has no row: (5 + 1) / (8 + 2), (3 + 1) / (8 + 2), 0
    laplace = estimator("laplace", f=1)
    joined = EstimatorWithPrior(conditional=laplace, prior=laplace, drop_empty=True)
    np.testing.assert_allclose(joined.log_prior(COUNTS), logs("6/10 4/10 0"), atol=1e-14)


def test_conditional_and_prior_come_from_different_estimators():
    joined = EstimatorWithPrior(conditional=estimator("frequency"), prior=estimator("laplace", f=1), drop_empty=False)
    np.testing.assert_allclose(joined.log_prior(COUNTS), logs("6/11 4/11 1/11"), atol=1e-14)
    np.testing.assert_array_equal(joined.log_conditional(COUNTS), estimator("frequency").log_conditional(COUNTS))
