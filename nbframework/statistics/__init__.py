"""Additive statistics: contingency tables and the information in them."""
