"""Makes small changes to the code, one at a time, and checks whether a test detects each: `make mutants`."""
