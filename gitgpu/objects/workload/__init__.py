"""Pods, and what runs, claims and scales them, as rules read them."""
