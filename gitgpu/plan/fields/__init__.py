"""The fields of node objects and the keys of a GpuPool that set them: one table for each kind.

Emitting, importing and the places of findings follow from these tables.
"""
