"""Sharing: configurations of the NVIDIA device plugin for time-slicing and MPS."""
