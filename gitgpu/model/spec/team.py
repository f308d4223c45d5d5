"""A team that shares GPUs with others, as frozen values."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.model.spec.metadata import Metadata
from gitgpu.model.spec.origin import Origin
from gitgpu.model.spec.patch import Patch
from gitgpu.source import Pointer

UNLIMITED = "unlimited"


class Quota(NamedTuple):
    """How many GPUs of a pool, or of the pool with a model on each cluster, a team may use.

    All numbers are in what pods request: GPUs, shares, MIG instances or devices. `borrow` None means unlimited, `lend`
    None means all. `capacity` and `mig` select a part of the pool; None if the spec does not set them. `flavor` is a
    ResourceFlavor that exists on the cluster. `place` is the place of the entry in the document of the team.
    """

    pool: str | None
    model: str | None
    capacity: str | None
    mig: str | None
    gpus: int
    borrow: int | None
    lend: int | None
    flavor: str | None
    place: Pointer


class Team(NamedTuple):
    """A team. If it differs between clusters, there is one Team with the same name for each variant.

    `clusters` are those of this variant. `priorities` are values by name. `fair_share` is its weight where teams
    borrow, or None.
    """

    name: str
    namespaces: tuple[str, ...]
    clusters: tuple[str, ...]
    quota: tuple[Quota, ...]
    priorities: Mapping[str, int]
    fair_share: float | None
    origin: Origin
    metadata: Metadata = Metadata()
    patches: tuple[Patch, ...] = ()


def quotas(spec: Sequence[Mapping[str, Any]]) -> tuple[Quota, ...]:
    """The quota of a team from its normalised spec."""
    return tuple(_quota(entry, ("spec", "quota", index)) for index, entry in enumerate(spec))


def _quota(entry: Mapping[str, Any], place: Pointer) -> Quota:
    borrow = entry.get("borrow", 0)
    return Quota(
        pool=entry.get("pool"),
        model=entry.get("model"),
        capacity=entry.get("capacity"),
        mig=entry.get("mig"),
        gpus=entry["gpus"],
        borrow=None if borrow == UNLIMITED else borrow,
        lend=entry.get("lend"),
        flavor=entry.get("flavor"),
        place=place,
    )
