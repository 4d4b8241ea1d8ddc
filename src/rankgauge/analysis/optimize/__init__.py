"""The gain and the discount that make nDCG most dependable, and whether they survive new queries."""
