"""Data sets: attributes, immutable columns, files."""
