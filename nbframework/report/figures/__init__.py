"""Figures: plain numbers in, a drawing out, written as SVG and PNG with the numbers as CSV."""
