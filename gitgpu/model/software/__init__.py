"""Releases of the software on a cluster, and what each needs."""
