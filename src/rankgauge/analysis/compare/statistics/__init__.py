"""The mathematics of a comparison: tests, intervals, ranks and plans on tables of numbers; knows no names and no words."""
