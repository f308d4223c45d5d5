"""How people work in a repository over days, with the real command line and real Git."""
