"""Limits of a NodePool."""
