"""Two sets of overlays to what is different, and to what follows from that: nodes, GPUs, money, time, order.

`snapshot` finds the objects of a cluster in files, and `normal_form` brings them into the form that `change` compares.
`nodes` and `drift` say which nodes Karpenter or AKS replaces; `hashes` and `requirement_drift` do its arithmetic.
`rollout` says how they are replaced, `upgrade` what another version of Kubernetes does, `delivery` what Flux or Argo CD
does, `effects` the rest. All of it is pure: the files come in as texts.

Texts that are the same are never parsed. The work grows with the bytes of both sides and the objects of the clusters
that differ; two clusters have nothing to do with each other.
"""

from gitgpu.compare.change import Change, Field, Kind
from gitgpu.compare.cluster import Both, ClusterChange, compared
from gitgpu.compare.nodes import AtLimits, Known
from gitgpu.compare.pools import PoolChange
from gitgpu.compare.rollout import Rollout
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.compare.upgrade import Upgrade

__all__ = [
    "AtLimits",
    "Both",
    "Change",
    "ClusterChange",
    "Field",
    "Kind",
    "Known",
    "OverlayObject",
    "PoolChange",
    "Rollout",
    "Upgrade",
    "compared",
]
