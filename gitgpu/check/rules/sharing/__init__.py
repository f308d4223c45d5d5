"""Sharing: time-slicing and MPS."""
