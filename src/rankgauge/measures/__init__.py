"""Names for kernels; knows no tables."""
