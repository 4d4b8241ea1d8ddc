"""Results made into something to look at."""
