"""The effect of a Kubernetes upgrade on nodes. The version is only in the spec, not in the overlays.

Karpenter replaces every node whose kubelet version differs from the API server's, within the budgets, and never
goes back (pkg/cloudprovider/drift.go and pkg/controllers/nodeclass/status/kubernetesversion.go of
Azure/karpenter-provider-azure). AKS upgrades node pools with the cluster, unless only the control plane is upgraded.
"""

from typing import NamedTuple

from gitgpu.compare.nodes import Context, Pool
from gitgpu.compare.pools import PoolChange, Pools
from gitgpu.compare.rollout import rollout
from gitgpu.compare.sides import Sides
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.syntax.version import Version, version

_KARPENTER = "Karpenter replaces every node whose kubelet version differs from the API server"
_AKS = "AKS drains and reimages every node when it upgrades the pool, either with the cluster or separately later"


class Upgrade(NamedTuple):
    """A change of the Kubernetes version in the spec.

    With `back`, it is to an earlier version, which AKS does not support.

    `pools` are those that exist before and after it.
    """

    before: str
    after: str
    pools: tuple[PoolChange, ...]
    back: bool = False


def upgrade(versions: Sides[str], pools: Sides[Pools], context: Context) -> Upgrade | None:
    """The effects once the cluster runs the version of the spec; None if it is not known to be a different one."""
    if not moves(*versions):
        return None
    before, after = pools
    was, now = map(_read, versions)
    if now < was:  # neither Karpenter nor AKS moves nodes to an older version
        return Upgrade(*versions, (), back=True)
    lasting = sorted(before.keys() & after.keys())
    return Upgrade(*versions, tuple(_pool(before[key], after[key], context) for key in lasting))


def moves(before: str, after: str) -> bool:
    """Whether both versions are known, and neither is a prefix of the other, as 1.35 is of 1.35.2.

    An unknown version counts as a prefix of any other.
    """
    was, now = _read(before), _read(after)
    length = min(len(was), len(now))
    return was[:length] != now[:length]


def _read(text: str) -> Version:
    try:
        return version(text)
    except ValueError:
        return ()


def _pool(was: Pool, now: Pool, context: Context) -> PoolChange:
    reason = _KARPENTER if now.kind == NODE_POOL.kind else _AKS
    rolled = rollout(now, was.limits.nodes, context.minutes)
    return PoolChange(
        name=now.object.identity.name,
        of=now.kind,
        kind=None,
        replaced="all",
        reason=reason,
        before=was.limits,
        after=now.limits,
        roll=rolled,
    )
