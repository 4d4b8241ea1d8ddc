"""Scores in, a result out: how far the numbers can be trusted."""
