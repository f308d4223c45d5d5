"""What one object has a controller apply."""

from typing import NamedTuple

from gitgpu.load.delivery.kustomize import ANY, Part

ELSEWHERE: frozenset[tuple[str, str]] = frozenset({ANY})


class Applied(NamedTuple):
    """Files of the tree, and the kustomizations and directories among them, that one object has applied.

    `beyond` are the kinds, as (group, kind), of objects that come from where lint cannot look; ANY is any kind.
    `cluster` names another cluster than the one that the object itself is on; "" is the same.
    """

    parts: tuple[Part, ...] = ()
    kustomizations: tuple[str, ...] = ()
    beyond: frozenset[tuple[str, str]] = frozenset()
    cluster: str = ""
