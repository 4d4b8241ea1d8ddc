"""What travels to the workers of a cluster, and what comes back. Nothing here knows Spark."""
