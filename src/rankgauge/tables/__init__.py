"""Plain tables of cells and notes, and the texts they become; knows no results."""
