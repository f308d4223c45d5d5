"""Edits of the spec by commands: what they change, the plan, and the files that they write."""
