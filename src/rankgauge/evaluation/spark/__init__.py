"""The same evaluation on a cluster; only `engine` imports pyspark."""
