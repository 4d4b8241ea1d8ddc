"""Tables of judgments and runs; knows no measures."""
