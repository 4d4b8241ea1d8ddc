"""One module per chart; only `style` imports Altair."""
