"""The explorer: one page in which a reader changes the measure and sees the result change."""
