"""Arithmetic on arrays; NumPy only."""
