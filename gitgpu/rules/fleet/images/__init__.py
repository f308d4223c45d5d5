"""AKSNodeClasses, OS images, OS disks, artifact streaming and image garbage collection."""

KINDS = frozenset({"pools"})
