"""Names that Kubernetes, Azure, NVIDIA and other projects give to labels, annotations, resources, groups and kinds.

Each has one constant here, and no other module writes it as text of its own.
"""
