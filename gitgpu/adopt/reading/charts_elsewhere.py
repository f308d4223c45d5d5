"""Charts that an Application of Argo CD installs on another cluster than the one that has the Application."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.inventory.observed import Inventory, Observed
from gitgpu.load.helm_values import release_id
from gitgpu.model.names.kinds import APPLICATION, group_kind
from gitgpu.objects.delivery.application_sources import placed_sources


class Divided(NamedTuple):
    """An inventory without the charts of other clusters, and these charts by the name of their cluster."""

    rest: Inventory
    elsewhere: Mapping[str, tuple[Observed, ...]]


def divide(inventory: Inventory, own: str, names: Mapping[str, str], clusters: Collection[str]) -> Divided:
    """The Applications of charts for other clusters than `own`, with their values files.

    `names` are those of clusters by the URL of their API server. Charts for a cluster that is not one of `clusters`
    stay where they are.
    """
    targets: dict[int, str] = {}
    values: dict[str, str] = {}
    for observed in inventory.objects():
        target = _target(observed, names) if group_kind(observed.body) == APPLICATION else ""
        if target != own and target in clusters:
            targets[id(observed)] = target
            values |= dict.fromkeys(_releases(observed), target)
    elsewhere: dict[str, tuple[Observed, ...]] = {}
    kept = []
    for cluster in inventory.clusters:
        staying = []
        for observed in cluster.objects:
            target = targets.get(id(observed)) or values.get(text_at(observed.body, "of"), "")
            if target:
                elsewhere[target] = (*elsewhere.get(target, ()), observed)
            else:
                staying.append(observed)
        kept.append(cluster._replace(objects=tuple(staying)))
    return Divided(inventory._replace(clusters=tuple(kept)), elsewhere)


def _target(observed: Observed, names: Mapping[str, str]) -> str:
    """The cluster of an Application that installs a chart; "" if it installs none, or on its own cluster."""
    spec = mapping_at(observed.body, "spec")
    if not any("chart" in source for _, source in placed_sources(spec)):
        return ""
    server = text_at(spec, "destination", "server").rstrip("/")
    return text_at(spec, "destination", "name") or names.get(server, server)


def _releases(observed: Observed) -> Iterator[str]:
    """What values files of its charts refer to."""
    spec: Any = reach(observed.body, "spec")
    for at, _ in placed_sources(spec):
        yield release_id(observed.places, ("spec", *at))
