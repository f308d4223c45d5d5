"""The documents of a fleet: read, checked against the schema of their kind, with defaults and overrides applied."""
