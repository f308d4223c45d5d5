"""What Kubernetes objects are checked against: contracts, the catalog, and the rules that are passed in."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.catalog import Catalog
from gitgpu.objects.objects import Objects
from gitgpu.objects.schema.cel import Engine
from gitgpu.objects.schema.contract import Contracts
from gitgpu.objects.schema.crd import Custom
from gitgpu.rule import AnyRule


@dataclass(frozen=True, slots=True)
class Norms:
    """What objects are checked against. Build it once: it caches compiled schemas.

    `versions` returns the versions of a project such as "keda" that the cluster may run; () means that any release that
    is in use may be meant. `versions_key` is equal for clusters for which it returns the same.

    With `ours`, an object that equals a checked one is not checked again. Users' manifests are always checked: for
    Python 1 and true are equal, for a schema they are not.
    """

    contracts: Contracts
    catalog: Catalog
    kinds: Mapping[str, Any]
    rules: Callable[[Objects], Sequence[AnyRule]]
    judge: Callable[[Sequence[AnyRule], Objects], list[Diagnostic]]
    today: str = ""
    versions: Callable[[str], Sequence[str]] = lambda _: ()
    versions_key: Hashable = ()
    custom: Mapping[tuple[str, str], Custom] = field(default_factory=dict)
    engine: Engine = field(default_factory=Engine)
    run_cache: dict[Hashable, Any] = field(default_factory=dict)
    ours: bool = False
