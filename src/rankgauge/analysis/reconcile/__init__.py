"""Whose number is this? Which decisions reproduce it, and how sure that is."""
