"""How far a number can be trusted: variance components, dependability, queries needed."""
