"""Studies: recipes on data sets under one protocol, run to a store that survives interruptions."""
