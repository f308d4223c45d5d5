"""The command line. A folder with a `command.py` is a command; nothing below `cli` knows of options.

Results go to stdout, messages to stderr. Exit 0: clean; 1: findings or drift; 2: could not run; 130: interrupted.
"""
