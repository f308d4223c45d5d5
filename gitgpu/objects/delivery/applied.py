"""What a controller applies because of one object."""

from typing import NamedTuple

from gitgpu.objects.delivery.kustomize import ANY, Part

ELSEWHERE: frozenset[tuple[str, str]] = frozenset({ANY})


class Applied(NamedTuple):
    """The files, kustomizations and directories of the tree that a controller applies because of one object.

    `beyond` are the kinds, as (group, kind), of applied objects that lint cannot see; ANY is any kind. `cluster` is the
    target cluster; "" is the cluster that the object itself is on.
    """

    parts: tuple[Part, ...] = ()
    kustomizations: tuple[str, ...] = ()
    beyond: frozenset[tuple[str, str]] = frozenset()
    cluster: str = ""
