"""Kubernetes objects: how files deliver them, whether they fit their schemas, and what they say, as rules read them."""
