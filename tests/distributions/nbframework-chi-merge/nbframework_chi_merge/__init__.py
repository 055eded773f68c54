"""The discretizer chi-merge for nbframework."""
