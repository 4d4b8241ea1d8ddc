"""What other tools do, one table per kind of tool; `presets` is the way in."""
