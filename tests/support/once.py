"""What does not depend on the kernels is tested once, in the run with the compiled ones."""

import os

import pytest

once = pytest.mark.skipif(
    os.environ.get("NBFRAMEWORK_KERNELS") == "numpy",
    reason="does not depend on the kernels; run it without NBFRAMEWORK_KERNELS=numpy",
)
