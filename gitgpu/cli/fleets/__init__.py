"""A fleet as several commands read it: its findings, and whether it has changed since a build."""
