"""Is a difference real? Paired tests, intervals, verdicts."""
