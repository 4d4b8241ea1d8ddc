"""One module per kind of file; each turns bytes into a table with faults and remarks."""

is_quiet = False
"""Whether panics of Polars are kept from standard error: a command says in one message what is wrong with a file."""
