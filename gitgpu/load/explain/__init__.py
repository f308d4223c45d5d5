"""Why a value does not match its schema, and how to repair it."""
