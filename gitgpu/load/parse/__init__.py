"""YAML text to plain data with the place of every value."""
