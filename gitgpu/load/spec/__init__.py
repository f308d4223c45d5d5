"""The documents of a fleet: found, checked against the schema of their kind, with defaults and overrides applied."""
