"""Would this pod get a node, and which one: Karpenter's arithmetic, without a cluster.

`requirement` is the algebra of label requirements, `size` says what labels a size would have and when Karpenter leaves
it out, `taint` which pods a node accepts.
"""
