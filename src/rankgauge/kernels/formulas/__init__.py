"""One module per family of measures: hits in, one number per query out."""
