"""What the program does, without its command line: a module for each."""
