"""The benchmarks are no part of the installed package: they are imported from the checkout."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
