"""The keys of a cluster's stack, one module each: what objects say about it."""
