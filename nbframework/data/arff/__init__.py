"""Reading and writing ARFF files, the data format of Weka."""

from nbframework.data.arff.reader import parse_arff, read_arff
from nbframework.data.arff.writer import format_arff, write_arff

__all__ = ["format_arff", "parse_arff", "read_arff", "write_arff"]
