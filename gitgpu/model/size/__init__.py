"""Azure GPU sizes by name and by requirement."""
