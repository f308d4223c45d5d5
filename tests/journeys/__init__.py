"""What people do in a repository over days, with the real command line and real Git."""
