"""Which differences hold under every gain and every discount."""
