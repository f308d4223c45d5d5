"""Whole fleets in the model: every value of clusters, pools and workloads, and what is derived from it.

Empty values are omitted, so a line is never the default of a type. A size is shown by its name.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.spec.shape import Document, shape
from gitgpu.load.text import Text
from gitgpu.model.aks_api import operator_api
from gitgpu.model.aks_node_pool import azure_name, beyond, bounds
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import driver_on, has_our_plugin, is_claimed
from gitgpu.model.effective import Effective, EffectiveQuery, effective
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.model.node_class import class_settings
from gitgpu.model.sku import Sku
from gitgpu.model.software.drivers import oldest_driver
from gitgpu.model.software.installed import installed_software, unknown_versions
from gitgpu.model.software.node_configs import plugin_config
from gitgpu.model.spec.origin import Layer, Origin
from gitgpu.model.spec.patch import Patch
from gitgpu.source import Span
from tests.helping.single_changes import decided

RECORDED = Path(__file__).with_name("recorded")
FILES = sorted(RECORDED.glob("*.yaml"))
CATALOG = Catalog(CatalogFiles())
EMPTY: tuple[object, ...] = (None, "", (), {}, frozenset())


def documents(path: Path) -> list[Document]:
    """The documents of a file, which are valid."""
    docs, faults = shape([Text(path.name, path.read_text(encoding="utf-8"), path.name)])
    assert faults == []
    return list(docs)


def flat(name: str, value: Any) -> Iterator[str]:
    """A value as lines, with the values in it under their names or numbers."""
    below = parts(value)
    for key, part in below.items():
        yield from flat(f"{name}.{key}" if key else name, part)
    if not below and value not in EMPTY:
        yield f"{name}: {sorted(value) if isinstance(value, frozenset) else value}"


def parts(value: Any) -> Mapping[str, Any]:
    """The parts of a value; {} for a value that is shown unchanged."""
    if isinstance(value, Sku | Patch | Layer):
        return {"": line(value)}
    if isinstance(value, Origin):
        overlays = tuple(map(str, value.overlays))
        return {"": f"{value.ref} at {place(value.span())}", "defaults": value.defaults, "overlays": overlays}
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    if isinstance(value, list | tuple) and any(isinstance(each, tuple | Mapping) for each in value):
        return {str(at): each for at, each in enumerate(value)}
    return value if isinstance(value, Mapping) else {}


def line(value: Sku | Patch | Layer) -> str:
    """A value on one line."""
    if isinstance(value, Sku):
        return value.name
    if isinstance(value, Patch):
        return f"{dict(value.target)} {value.change} at {place(value.span)}"
    return f"{value.mark.ref.name} {value.part} {value.at} {value.values}"


def place(span: Span) -> str:
    """The line and column of a span."""
    return f"{span.line}:{span.column}"


def of_cluster(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    """The facts that are derived for a cluster."""
    yield f"{cluster.name}: {cluster.aks_name}, {cluster.azure}"
    yield f"  adjusted {inputs.adjusts(cluster)}, provisioner {cluster.provisioner}"
    yield f"  watching {cluster.stack.metrics.watching}, reader {cluster.stack.metrics.reader}"
    yield f"  workloads {[workload.name for workload in inputs.workloads_on(cluster)]}"
    yield f"  models {[model.name for model in inputs.models_on(cluster)]}"
    yield f"  installed {', '.join(installed_software(inputs, cluster))}"
    yield f"  unknown {unknown_versions(inputs, cluster)}"
    oldest = oldest_driver(inputs, cluster)
    yield f"  oldest driver of {oldest.pool.name if oldest else None}"
    for pool in inputs.pools_on(cluster):
        yield from of_pool(inputs, cluster, pool)


def of_pool(inputs: Inputs, cluster: Cluster, pool: Pool) -> Iterator[str]:
    """The facts that are derived for a pool on a cluster."""
    driver = driver_on(cluster, pool)
    yield f"  {pool.name}: {azure_name(pool)}, driver {driver}, {bounds(pool)}"
    yield f"    plugin {has_our_plugin(cluster, pool)}, claimed {is_claimed(cluster, pool)}"
    yield f"    resources {sorted({pool.resource(sku) for sku in pool.skus})}, shares {pool.shares}"
    yield f"    spot {pool.only_spot}, taint {pool.has_spot_taint}, disk {pool.os_disk_gb}"
    yield f"    provable {[sku.name for sku in pool.provable]}, config {plugin_config(pool, driver)}"
    yield (
        f"    beyond {beyond(pool, driver, inputs.catalog, operator_api(cluster.stack.aso.api_version))}"
        if pool.skus
        else "    no size"
    )
    yield from flat("    class", class_settings(pool, cluster))


def values(inputs: Inputs) -> Iterator[str]:
    """The values of a fleet as lines."""
    every: tuple[Any, ...] = (inputs.fleet, *inputs.clusters, *inputs.pools, *inputs.workloads, *inputs.models)
    for part in every:
        yield from flat(f"{type(part).__name__} {part.name}", part)


def derived(inputs: Inputs) -> Iterator[str]:
    """The facts that are derived from the values of a fleet, as lines."""
    yield f"rings {dict(inputs.rings)}, adjusted {inputs.is_adjusted}"
    yield f"placed {[(cluster.name, pool.name) for cluster, pool in inputs.placements()]}"
    yield f"node pools of Karpenter {[pool.name for pool in inputs.nodepools]}"
    placed: tuple[Any, ...] = (*inputs.workloads, *inputs.models)
    for named in placed:
        allowed = [(pool.name, pool.clusters) for pool in inputs.pools_of(named)]
        yield f"{named.name}: {allowed} of {[(pool.name, pool.clusters) for pool in inputs.pools_named(named)]}"
    for cluster in inputs.clusters:
        yield from of_cluster(inputs, cluster)


def inputs_of(path: Path) -> Inputs:
    """The linked fleet of a file."""
    inputs, faults = link(documents(path), CATALOG)
    assert in_order(faults) == ()
    assert inputs is not None
    return inputs


@pytest.mark.parametrize("name", ["every-key", "rings-and-overrides"])
def test_the_values_of_a_fleet(name: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(values(inputs_of(RECORDED / f"{name}.yaml"))) == snapshot


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_follows_from_a_fleet(path: Path, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(derived(inputs_of(path))) == snapshot


def seen(result: object) -> Iterator[str]:
    """A document as a cluster sees it, as lines, without values that nothing writes."""
    if not isinstance(result, Effective):
        yield str(result)
        return
    yield f"{' '.join(result.ref)}: {list(result.data['spec'])}"
    for pointer, value, span in result.values:
        if span and pointer[0] == "spec":
            yield f"  {place(span)} {'.'.join(map(str, pointer[1:]))}: {value}"
    yield from map(str, result.faults)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_document_as_each_cluster_sees_it(path: Path, snapshot: SnapshotAssertion) -> None:
    read = documents(path)
    clusters = [document.ref.name for document in read if document.kind == "Cluster"]
    lines: dict[str, list[str]] = {}
    for kind, namespace, name in sorted({document.ref for document in read if document.kind != "Fleet"}):
        for cluster in clusters if kind != "Cluster" else [name]:
            text = "\n".join(seen(effective(read, EffectiveQuery(kind, namespace, name, cluster))))
            lines.setdefault(text, []).append(cluster)
    assert "\n".join(f"{', '.join(seeing)}: {text}" for text, seeing in lines.items()) == snapshot


@cache
def shaped(content: str) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """One document of a fleet."""
    docs, faults = shape([Text("fleet.yaml", content, "fleet.yaml")])
    return tuple(docs), tuple(faults)


def linked(given: Sequence[Any]) -> Iterator[str]:
    """A fleet as lines: its faults, its values, and the facts derived from them."""
    read = [shaped(json.dumps(document)) for document in given]
    if any(faults for _, faults in read) or not any(document["kind"] == "Fleet" for document in given):
        yield "not valid"
        return
    inputs, faults = link([document for docs, _ in read for document in docs], CATALOG)
    yield from (f"{each.code} {each.pointer} {each.message}; {each.help}" for each in in_order(faults))
    if inputs:
        yield from (*values(inputs), *derived(inputs))


def test_the_effect_of_each_value(snapshot: SnapshotAssertion) -> None:
    given = list(yaml.load_all((RECORDED / "rings-and-overrides.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader))
    assert "\n".join(decided(given, linked, ("absent",))) == snapshot
