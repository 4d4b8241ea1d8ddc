"""Curves that turn a judged value into relevance, relevance into gain, and a rank into a weight."""
