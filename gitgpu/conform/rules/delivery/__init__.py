"""Delivery: objects of Flux and Argo CD."""
