"""Printed tables and figures, run again: what a paper printed, what comes out, and why the two differ."""
