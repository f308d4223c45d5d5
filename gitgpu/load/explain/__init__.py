"""Why a value does not fit its schema, and how to repair it."""
