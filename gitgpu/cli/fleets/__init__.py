"""A fleet as several commands read it: its findings, whether it has changed since a build, and what a build changes."""
