"""The commands: one module, one command, exported as COMMAND; the first line of its docstring is its summary."""
