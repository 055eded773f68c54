"""Textbook parts: what every comparison starts from."""
