"""What is computed and counted for one run; shared by this process and Spark workers."""
