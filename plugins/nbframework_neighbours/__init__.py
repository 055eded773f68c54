"""Neighbourhoods and distances: which training rows speak for a query, and how far away they are."""
