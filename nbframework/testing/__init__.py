"""The kit for plugin authors: every promise of a part as a check that says what broke.

In a plugin's tests::

    import pytest
    from nbframework.testing import checks_of
    from my_plugin.median import Median

    @pytest.mark.parametrize("check", checks_of(Median()), ids=str)
    def test_median_keeps_its_promises(check):
        check()
"""

from nbframework.testing.checks import Check, Outcome, checks_of
from nbframework.testing.promises import PROMISES, Promise

__all__ = ["PROMISES", "Check", "Outcome", "Promise", "checks_of"]
