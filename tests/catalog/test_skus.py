"""Every size in the catalog: the output for a pool of it, or the reason why it is not possible.

A new size fails until its snapshot is written (`pytest tests/catalog/test_skus.py --snapshot-update`) and reviewed.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion
from syrupy.data import Snapshot, SnapshotCollection
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from gitgpu.diagnostic import in_order
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.runs.build import Build, build
from gitgpu.runs.validate import read_fleet

ROOT = Path(__file__).parents[2]
SIZES = sorted(path.stem for path in (ROOT / "catalog" / "skus").glob("*.yaml"))
SNAPSHOTS = Path(__file__).parent / "__snapshots__" / "test_skus"
CATALOG = Catalog(CatalogFiles())
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: example}
spec: {delivery: {repository: "https://github.com/contoso/gpu-fleet"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: one}
spec: {region: eastus, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: pool}
spec: {clusters: [one], sku: SIZE, driver: DRIVER, limits: {gpus: 64}RDMA}
"""
SHOWN = ("nodepool-pool", "aksnodeclass-pool", "deviceconfig-amd-gpu-operator", "nicclusterpolicy-nic-cluster-policy")


class SizeFile(SingleFileSnapshotExtension):
    """A snapshot extension with one file per size, compared as bytes."""

    _write_mode = WriteMode.BINARY
    file_extension = "snap"  # a text, but of no other test

    @classmethod
    def get_file_basename(cls, *, test_location: Any, index: Any) -> str:
        """The size."""
        return str(test_location.item.callspec.params["size"])

    @classmethod
    def matches_test_location(cls, *, test_location: Any, snapshot_location: str) -> bool:
        """Whether a file can be the snapshot of a size."""
        return Path(snapshot_location).parent == SNAPSHOTS

    def read_snapshot_collection(self, *, snapshot_location: str) -> SnapshotCollection:
        """The only snapshot in a file, which is that of the test of its size."""
        collection = SnapshotCollection(location=snapshot_location)
        collection.add(Snapshot(name=f"test_size[{Path(snapshot_location).stem}]"))
        return collection


def built(size: str, folder: Path) -> Build:
    """A fleet with one pool of that size on one cluster. AKS installs the driver if it can."""
    sku = CATALOG.sku(size)
    assert sku is not None
    driver = "operator" if sku.manufacturer == "amd" else "aks"
    rdma = ", rdma: shared" if sku.rdma and size not in CATALOG.must("devices", "rdma")["older"] else ""
    path = folder / "fleet.yaml"
    path.write_text(FLEET.replace("SIZE", size).replace("DRIVER", driver).replace("RDMA", rdma), encoding="utf-8")
    return build(read_fleet([str(path)]))


def account(made: Build) -> str:
    """The facts to review: findings, the objects of the pool, and the rest of the stack."""
    diagnostics = (*made.checked.diagnostics, *made.faults)
    lines = [
        f"{finding.severity} {finding.code}: {finding.message}\n  help: {finding.help}\n"
        for finding in in_order(diagnostics)
    ]
    for name in SHOWN:
        lines += [text for path, text in made.files.items() if path == f"one/nodes/{name}.yaml"]
    lines += ["files:\n", *(f"- {path}\n" for path in made.files)] if made.files else []
    lines += [_software(yaml.load(text, yaml.CSafeLoader)) for path, text in made.files.items() if "daemonset-" in path]
    lines += [
        _counters(yaml.load(text, yaml.CSafeLoader)) for path, text in made.files.items() if "configmap-dcgm" in path
    ]
    return "\n".join(line.rstrip("\n") for line in lines) + "\n"


def _software(body: dict[str, Any]) -> str:
    spec = body["spec"]["template"]["spec"]
    terms = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    facts = {"image": spec["containers"][0]["image"], "affinity": terms, "tolerations": spec["tolerations"]}
    head = f"{body['kind']} {body['metadata']['name']}:\n"
    return head + "\n".join(f"  {key}: {json.dumps(value)}" for key, value in facts.items())


def _counters(body: dict[str, Any]) -> str:
    listed = {line.split(",")[0] for text in body["data"].values() for line in text.splitlines()}
    presets = {name: set(CATALOG.must("counters", name)["fields"]) for name in CATALOG.names("counters")}
    whole = [name for name, fields in presets.items() if fields <= listed]
    rest = sorted(listed.difference(*(presets[name] for name in whole)))
    return f"counters of {body['metadata']['name']}: {', '.join([*whole, *rest])}"


@pytest.mark.parametrize("size", SIZES)
def test_size(size: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert account(built(size, tmp_path)).encode() == snapshot.use_extension(SizeFile)


def test_no_snapshot_is_left_over() -> None:
    assert sorted(path.name for path in SNAPSHOTS.iterdir()) == [f"{size}.snap" for size in SIZES]


def test_every_size_builds_or_has_an_error() -> None:
    """A size either builds or has an error, and never both."""
    for size in SIZES:
        text = (SNAPSHOTS / f"{size}.snap").read_text(encoding="utf-8")
        assert text.startswith("error ") is ("files:\n" not in text)
