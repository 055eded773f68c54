"""Other tools' classifiers inside our folds, as comparators: called as programs or libraries, never shipped."""
