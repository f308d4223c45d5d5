"""Changes of the examples of fleet rules, with settings from other examples."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from gitgpu.load.spec.shape import KINDS
from tests.rules.fleet.examples import CATALOG
from tests.rules.named_examples import every_example
from tests.rules.recorded_cases import Bodies, Side, Step

Setting = tuple[tuple[str, ...], Any]
OTHER = "other"  # the name of a document that is added
LISTED = "norwayeast"  # the region whose Azure list is in tests/rules/fleet/catalog
USUAL = "Standard_NC24ads_A100_v4"


def with_settings(side: Side, bodies: Bodies) -> Iterator[Step]:
    """Each change of one document of a fleet to a setting of another example."""
    for number, body in enumerate(bodies):
        for path, value in _settings(side).get(body["kind"], ()):
            yield {"set": [number, *path], "to": value}


def with_second(side: Side, bodies: Bodies) -> Iterator[tuple[Step, ...]]:
    """One more document of each kind, which the others use as well, with a setting of another example."""
    for number, body in enumerate(bodies):
        used: tuple[Step, ...] = tuple(
            {"set": [at, "spec", key, len(inner["spec"][key])], "to": OTHER}
            for at, inner in enumerate(bodies)
            for key, kind in (("clusters", "Cluster"), ("pools", "GpuPool"))
            if kind == body["kind"] and isinstance(inner.get("spec", {}).get(key), list)
        )
        copied: tuple[Step, ...] = ({"copy": number, "name": OTHER}, *used)
        if body["kind"] in KINDS and body["kind"] != "Fleet":
            yield copied
            for path, value in _settings(side).get(body["kind"], ()):
                yield (*copied, {"set": [len(bodies), *path], "to": value})


@cache
def _settings(side: Side) -> Mapping[str, Sequence[Setting]]:
    """What the examples of all rules write in the documents of a fleet, by kind."""
    by_kind: dict[str, dict[str, Setting]] = {kind: {} for kind in KINDS}
    for rule in side.rules:
        for _, text in every_example(rule):
            for body in side.bodies(text):
                if body["kind"] in KINDS:
                    written = _values(body.get("spec", {}), ("spec",))
                    by_kind[body["kind"]] |= {repr(setting): setting for setting in written}
    sizes = (size for name in _sizes() for size in (name, [USUAL, name], [name, USUAL]))
    by_kind["GpuPool"] |= {repr(size): (("spec", "sku"), size) for size in sizes}
    by_kind["Cluster"] |= {LISTED: (("spec", "region"), LISTED)}
    versions = (version for name in CATALOG.rows("cuda") for version in (f"{name}.0", f"{name}.8"))
    by_kind["GpuWorkload"] |= {version: (("spec", "cuda"), version) for version in versions}
    return {kind: [*settings.values()] for kind, settings in by_kind.items()}


def _sizes() -> Iterator[str]:
    """Sizes that together have each fact that a size of the catalog has, such as one whose GPU is not known."""
    seen: set[str] = set()
    for name, row in CATALOG.rows("skus").items():
        gpu = CATALOG.facts("gpus", str(row["gpu"]["name"])) if row["gpu"] else None
        facts = {key: row[key] for key in ("arch", "driver", "os", "mig", "rdma", "spot")}
        facts |= {key: str(row[key] is None) for key in ("quotaFamily", "series", "memoryGiB", "vcpus")} | {
            "gpu": row["gpu"]
        }
        facts |= {"offer": row["karpenter"]["offer"], "counted": row["karpenter"]["gpus"], "zones": bool(row["zones"])}
        facts |= {"status": row["lifecycle"]["status"], "architecture": gpu and gpu["architecture"]}
        fresh = {repr(fact) for fact in facts.items()} - seen
        seen |= fresh
        if fresh:
            yield name


def _values(value: Any, path: tuple[str, ...]) -> Iterator[Setting]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield (*path, key), inner
            yield from _values(inner, (*path, key))
