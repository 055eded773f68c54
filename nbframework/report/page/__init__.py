"""The page of a run, and what all pages share: look, rendering, sortable tables."""
