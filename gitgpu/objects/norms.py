"""What Kubernetes objects are checked against: contracts, the catalog, and the rules that are passed in."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.objects import Objects
from gitgpu.objects.safeguards import Safeguards
from gitgpu.objects.schema.cel import Engine
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.objects.schema.crd import Custom, Definitions
from gitgpu.rule import AnyRule


@dataclass(frozen=True, slots=True)
class Norms:
    """What objects are checked against. Build it once: it caches compiled schemas.

    `versions` has the versions of projects such as "keda" that the cluster may run. `find_versions` finds others; it is
    called for the first object that not every release accepts. Of other projects, any release in use may be meant.

    With `of_fleet`, the objects are of a fleet, whose spec names releases. With `ours`, an object that equals a checked
    one is not checked again. Users' manifests are always checked: for Python 1 and true are equal, for a schema not.

    `custom` are the CRDs of the cluster. `find_definitions` finds CRDs among the manifests that are newer than the
    contracts; it is called for objects that their contract refuses.

    `engine` evaluates the CEL rules of `custom`, `own_engine` those of contracts.

    `today` is the day (ISO) on which rules and contracts are judged, `day` that of contracts alone: the rules about a
    fleet judge its objects on `today`.

    `safeguards` are those of the clusters if they are known to be AKS Automatic clusters.

    `jobs` is the number of processes that check the objects of a large group; None chooses it by their number.
    """

    contracts: Contracts
    catalog: Catalog
    kinds: Mapping[str, Any]
    rules: Callable[[Objects], Sequence[AnyRule]]
    judge: Callable[[Sequence[AnyRule], Objects], list[Diagnostic]]
    today: str = ""
    day: str = ""
    versions: Versions = ()
    find_versions: Callable[[], Versions] = tuple
    find_definitions: Callable[[], Definitions] = dict
    custom: Mapping[tuple[str, str], Custom] = field(default_factory=dict)
    engine: Engine = field(default_factory=Engine)
    own_engine: Engine = field(default_factory=Engine)
    run_cache: dict[Hashable, Any] = field(default_factory=dict)
    ours: bool = False
    of_fleet: bool = False
    safeguards: Safeguards | None = None
    jobs: int | None = 1

    def versions_of(self, project: str) -> tuple[str, ...]:
        """The versions of a project that the cluster may run; () if they are not known."""
        if "versions" not in self.run_cache:
            self.run_cache["versions"] = dict(self.find_versions())
        found: Mapping[str, tuple[str, ...]] = self.run_cache["versions"]
        return next((versions for name, versions in self.versions if name == project), found.get(project, ()))

    def running(self, versions: Versions) -> "Norms":
        """The same, for a cluster that runs these versions of projects whose versions are not given."""
        given = {name for name, _ in self.versions}
        added_pairs = tuple(pair for pair in versions if pair[0] not in given)
        return replace(self, versions=(*self.versions, *added_pairs)) if added_pairs else self
