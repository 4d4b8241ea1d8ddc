"""Where a table meets a measure."""
