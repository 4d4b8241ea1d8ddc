"""The command line: arguments to public functions to text."""
