"""Pods: which there are, what they request, and which nodes and neighbors they accept."""
