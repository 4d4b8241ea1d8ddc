"""One module per kind of file; each turns bytes into a table with faults and remarks."""
