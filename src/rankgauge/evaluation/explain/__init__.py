"""Numbers that explain themselves: one query rank by rank, two explanations side by side, or all queries."""
