"""Reads texts of any format into an inventory: which objects belong to which cluster, and what is not read."""
