"""Is a difference real? Paired tests, intervals, verdicts, and the gate; discriminative power; churn."""
