"""Converts running clusters to spec documents that keep their nodes as they are."""
