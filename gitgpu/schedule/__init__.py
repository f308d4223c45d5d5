"""Karpenter's arithmetic without a cluster: whether a pod gets a node, and which one.

`allocatable` and `capacity` say what Karpenter assumes a node to have, `excluded_sizes` which sizes it excludes,
`taint` which pods a node accepts, and `budget` how many nodes may be disrupted.
"""
