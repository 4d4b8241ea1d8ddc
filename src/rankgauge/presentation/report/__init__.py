"""The report page, one module per section."""
