"""Texts of any format to an inventory of clusters: which applies to which, and what is not read."""
