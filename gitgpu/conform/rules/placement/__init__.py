"""Placement: pods and the nodes that could take them."""
