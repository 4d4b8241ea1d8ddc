"""Rows of judgments and runs, whatever they are made of, and what is wrong with them."""
