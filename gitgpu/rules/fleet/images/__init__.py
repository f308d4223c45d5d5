"""AKSNodeClasses, OS images, OS disks, artifact streaming and image garbage collection."""

PREFIX = "DRV"  # of the codes of new rules
KINDS = frozenset({"pools"})
