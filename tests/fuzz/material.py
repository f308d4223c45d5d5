"""The documents to mutate: those of rules, of the example fleet and its overlays, and of recorded cases."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tests.rules.fleet.examples import BASE

ROOT = Path(__file__).parents[2]
# The shapes of what Azure and chart repositories answer.
ANSWERS = (
    (
        '[{"name": "Standard_NC24ads_A100_v4", "family": "standardNCADSA100v4Family", "locations": ["eastus"], '
        '"locationInfo": [{"location": "eastus", "zones": ["1"]}], "resourceType": "virtualMachines", '
        '"capabilities": [{"name": "vCPUs", "value": "24"}, {"name": "GPUs", "value": "1"}]}]'
    ),
    (
        '{"Items": [{"currencyCode": "USD", "retailPrice": 3.673, "unitPrice": 3.673, "armRegionName": "eastus", '
        '"armSkuName": "Standard_NC24ads_A100_v4", "type": "Consumption", "skuName": "NC24ads A100 v4 Spot", '
        '"productName": "Virtual Machines NCads A100 v4 Series", "unitOfMeasure": "1 Hour"}], "NextPageLink": null}'
    ),
    '[{"name": {"value": "standardNCADSA100v4Family"}, "limit": "24", "currentValue": "0", "localName": "a"}]',
    (
        '{"values": [{"version": "1.34", "isPreview": null, "patchVersions": {"1.34.2": {"upgrades": []}}, '
        '"capabilities": {"supportPlan": ["KubernetesOfficial"]}}]}'
    ),
    (
        '{"apiVersion": "v1", "entries": {"keda": [{"version": "2.20.2", "appVersion": "2.20.2", "digest": "a", '
        '"created": "2027-01-01T00:00:00Z", "urls": ["keda-2.20.2.tgz"]}]}, "generated": "2027-01-01T00:00:00Z"}'
    ),
)
LARGEST = 12_000  # characters; a mutation of a larger document says no more and takes longer
POOLS = frozenset({"NodePool", "AKSNodeClass", "NodeOverlay", "ManagedClustersAgentPool", "NodeClaim", "ResourceSlice"})
WORKLOADS = frozenset(
    {"Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "JobSet", "ReplicaSet", "ResourceClaim"}
)


class Material(NamedTuple):
    """Texts by what takes them, and all documents in them that are objects."""

    manifests: tuple[str, ...]
    fleets: tuple[str, ...]
    crds: tuple[str, ...]
    inventories: tuple[str, ...]
    answers: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]
    objects: tuple[dict[str, Any], ...]

    def of_kinds(self, kinds: frozenset[str]) -> list[dict[str, Any]]:
        """The objects of these kinds."""
        return [body for body in self.objects if body.get("kind") in kinds]


@cache
def material() -> Material:
    """All of it, in an order that is always the same."""
    rules = [text for rule in object_rules() for text in (rule.bad, rule.good)]
    files = [
        *ROOT.glob("overlays/**/*.yaml"),
        *ROOT.glob("tests/**/*.yaml"),
        *ROOT.parent.glob("shared/seeds/*"),
    ]
    written = [_text(path) for path in sorted(files)]
    manifests = [text for text in [*rules, *written] if 0 < len(text) <= LARGEST and "kind" in text]
    fleets = [_completed(text) for rule in fleet_rules() for text in (rule.bad, rule.good)]
    crds = [text for path in sorted(ROOT.parent.glob("shared/crds/*")) if len(text := _text(path)) <= 8 * LARGEST]
    objects = [document for text in manifests for document in documents(text) if isinstance(document, dict)]
    fleets.append(_text(ROOT / "fleet.yaml"))
    inventories = [
        text
        for folder in ("tests/journeys/shapes", "../shared/reported/import")
        for path in sorted((ROOT / folder).rglob("*.*"))
        if path.suffix in (".json", ".yaml") and 0 < len(text := _text(path)) <= LARGEST
    ]
    answers = [text for path in sorted(ROOT.glob("tests/**/answers/**/*.json")) if (text := _text(path))]
    rows = [(path.parent.name, _text(path)) for path in sorted(ROOT.glob("catalog/*/*.yaml"))]
    return Material(
        manifests=tuple(manifests),
        fleets=tuple(fleets),
        crds=tuple(crds),
        inventories=tuple(inventories),
        answers=tuple(answers) or ANSWERS,
        rows=tuple(rows),
        objects=tuple(objects),
    )


def _completed(text: str) -> str:
    """A complete fleet: examples of rules omit unrelated documents."""
    there = {document.get("kind") for document in documents(text) if isinstance(document, dict)}
    return "---\n".join([text, *(BASE[kind] for kind in BASE if kind not in there)])


def documents(text: str) -> list[Any]:
    """The documents of a text; none where it is not YAML as PyYAML takes it."""
    try:
        return [document for document in yaml.load_all(text, LOADER) if document is not None]
    except (yaml.YAMLError, ValueError):
        return []


def dumped(many: list[Any]) -> str:
    """Documents as a text."""
    return yaml.dump_all(many, Dumper=DUMPER, sort_keys=False, allow_unicode=True)


LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
