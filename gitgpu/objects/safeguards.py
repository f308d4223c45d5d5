"""The safeguards of AKS Automatic: whether the cluster has them, and which namespaces they exclude."""

from typing import NamedTuple


class Safeguards(NamedTuple):
    """`excluded` are the namespaces that a cluster excludes from them; None if these are not known."""

    excluded: tuple[str, ...] | None = None
