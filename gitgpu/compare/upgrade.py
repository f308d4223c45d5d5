"""The effect of a Kubernetes upgrade on nodes. The version is in the spec only, not in the overlays.

Karpenter replaces every node whose kubelet is not of the API server's version, at the budgets, and never goes back
(pkg/cloudprovider/drift.go and pkg/controllers/nodeclass/status/kubernetesversion.go of
Azure/karpenter-provider-azure). AKS upgrades node pools with the cluster, unless the control plane goes alone.
"""

from typing import NamedTuple

from gitgpu.compare.nodes import KARPENTER, Known, Pool
from gitgpu.compare.pools import PoolChange, Pools
from gitgpu.compare.rollout import rollout
from gitgpu.model.syntax.version import Version, version

_KARPENTER = "Karpenter replaces every node whose kubelet version differs from the API server"
_AKS = "AKS drains and reimages every node when it upgrades the pool, either with the cluster or separately later"


class Upgrade(NamedTuple):
    """The spec has another Kubernetes version. With `back`, it is an earlier one, which AKS does not support.

    `pools` are those that are there before and after it.
    """

    before: str
    after: str
    pools: tuple[PoolChange, ...]
    back: bool = False


def upgrade(versions: tuple[str, str], sides: tuple[Pools, Pools], known: Known) -> Upgrade | None:
    """The effects once the cluster runs the version of the spec; None if it is not known to be a different one."""
    if not moves(*versions):
        return None
    before, after = sides
    both = sorted(before.keys() & after.keys())
    was, now = map(_read, versions)
    if now < was:  # neither Karpenter nor AKS moves nodes to an older version
        return Upgrade(*versions, (), back=True)
    return Upgrade(*versions, tuple(_pool(before[key], after[key], known) for key in both))


def moves(before: str, after: str) -> bool:
    """Are both versions known, and is one no mere part of the other, as 1.35 is of 1.35.2?

    A version that is not known is part of any other.
    """
    was, now = _read(before), _read(after)
    length = min(len(was), len(now))
    return was[:length] != now[:length]


def _read(text: str) -> Version:
    try:
        return version(text)
    except ValueError:
        return ()


def _pool(was: Pool, now: Pool, known: Known) -> PoolChange:
    reason = _KARPENTER if now.kind == KARPENTER else _AKS
    rolled = rollout(now, was.limits.nodes, known.minutes)
    return PoolChange(now.object.identity.name, now.kind, None, "all", reason, was.limits, now.limits, rolled)
