"""A process that keeps its freed memory does not ask for it again and again."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
import numpy as np
from nbframework.evaluation.memory import keep_freed_memory
if sys.argv[1] == "keep":
    keep_freed_memory()
for _ in range(200):
    arrays = [np.ones(400_000) for _ in range(8)]
    del arrays
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
"""


def page_faults(how: str) -> int:
    return int(subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs glibc, whose allocator can be told")
def test_freed_memory_is_kept() -> None:
    # 200 times 8 arrays of 3.2 MB are 1,250,000 pages of 4 kB
    assert page_faults("keep") < 50_000
