"""Measured ratios against peers and against the limits of the machine: `python benchmarks/run.py`."""
