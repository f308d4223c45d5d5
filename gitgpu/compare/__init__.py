"""Compares two sets of overlays: what is different, and the consequences for nodes, GPUs, cost, duration and order.

`snapshot` finds the objects of a cluster in files, and `normal_form` brings them into the form that `change` compares.
`nodes` and `drift` say which nodes Karpenter or AKS replaces; `hashes` and `requirement_drift` do its arithmetic.
`rollout` says how they are replaced, `upgrade` what another version of Kubernetes changes, `delivery` what Flux or Argo
CD does, `effects` the rest. All of it is pure: files are passed in as texts.

Equal texts are never parsed. The work grows with the size of both sides and the number of objects in the clusters that
differ. Clusters are independent of each other.
"""

from gitgpu.compare.change import Change, Field, Kind
from gitgpu.compare.cluster import Both, ClusterChange, compare_clusters
from gitgpu.compare.nodes import AtLimits, Context
from gitgpu.compare.pools import PoolChange
from gitgpu.compare.rollout import Rollout
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.compare.upgrade import Upgrade

__all__ = [
    "AtLimits",
    "Both",
    "Change",
    "ClusterChange",
    "Context",
    "Field",
    "Kind",
    "OverlayObject",
    "PoolChange",
    "Rollout",
    "Upgrade",
    "compare_clusters",
]
