"""How good rankings are, and how far that number can be trusted."""
