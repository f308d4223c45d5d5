"""Output: stdout, stderr, exit codes, and the paths that findings show."""
