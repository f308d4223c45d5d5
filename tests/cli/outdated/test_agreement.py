"""`outdated` and `upgrade` agree about each version of each chart and image of the catalog."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.model.software.installed import installed_software
from tests.cli.conftest import Run
from tests.model.test_link import CATALOG
from tests.rules.fleet.examples import BASE, RULES, inputs_of

SOFTWARE = sorted({name for kind in ("charts", "containers") for name in CATALOG.rows(kind)})
OLDER = [(name, old) for name in SOFTWARE for old in list(CATALOG.versions(name))[:-1]]
# No example of a rule installs it.
SCALED = """
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm, keda: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, image: {osDiskGB: 256}, limits: {gpus: 4}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: phi, namespace: serving}
spec: {pools: [a100], inference: {preset: phi-4-mini-instruct, scaling: {waiting: 10, max: 3}}}
"""


@cache
def _examples() -> tuple[tuple[str, frozenset[str]], ...]:
    """Fleets, and the software that they install."""
    texts = [SCALED, *(text for rule in RULES for text in rule.good_examples)]
    inputs = ((text, inputs_of(text)) for text in texts)
    return tuple(
        (text, frozenset(name for cluster in each.clusters for name in installed_software(each, cluster)))
        for text, each in inputs
    )


def _pinned(software: str, version: str) -> Iterator[str]:
    """Fleets that install the software in this version."""
    for text in (text for text, installed in _examples() if software in installed):
        documents = [document for document in yaml.load_all(text, yaml.CSafeLoader) if document]
        kinds = {document["kind"] for document in documents}
        documents += [yaml.load(body, yaml.CSafeLoader) for kind, body in BASE.items() if kind not in kinds]
        for document in (document for document in documents if document["kind"] == "Fleet"):
            stack = document["spec"].setdefault("defaults", {}).setdefault("stack", {})
            stack["versions"] = {**stack.get("versions", {}), software: version}
        yield yaml.safe_dump_all(documents)


def _standing(run: Run, software: str, version: str) -> dict[str, Any]:
    """What `outdated` says about the version, for the first fleet without an error."""
    for text in _pinned(software, version):
        Path("fleet.yaml").write_text(text)
        ran = run("outdated", "-o", "json")
        rows = json.loads(ran.out)["software"] if ran.code != 2 else ()
        if row := next((row for row in rows if row["name"] == software), None):
            return dict(row)
    raise AssertionError((software, version))


@pytest.mark.parametrize(("software", "old"), OLDER)
def test_outdated_agrees_with_upgrade(run: Run, software: str, old: str) -> None:
    row = _standing(run, software, old)
    known = list(CATALOG.versions(software))
    newer = known[known.index(old) + 1 :]
    refused = [new for new in newer if run("upgrade", f"{software}={new}", "--dry-run").code == 1]
    assert refused == known[known.index(row["newestCompatible"]) + 1 :]
    assert (row["blocked"] or {}).get("version") == (refused[-1] if refused else None)
    written = json.loads(run("upgrade", software, "--dry-run", "-o", "json").out)["edits"]
    assert [edit["after"] for edit in written] == [row["newestCompatible"]] * row["outdated"]
