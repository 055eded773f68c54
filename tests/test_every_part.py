"""Every installed part keeps the promises of the kit, or says why it cannot."""

import pytest

from nbframework.testing import Check
from nbframework.testing.checks import all_checks


@pytest.mark.parametrize("check", list(all_checks()), ids=str)
def test_the_part_keeps_the_promise(check: Check) -> None:
    if check.excuse is not None:
        assert check.excuse.strip(), "an exception needs its reason"
        return
    check()
