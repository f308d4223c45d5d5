"""A fleet of several files, whose rings have different versions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

REPORT = json.loads((Path(__file__).parents[3] / "schemas/report.schema.json").read_text("utf-8"))
# Without NVIDIADriver objects, because 26.3 cannot adopt those of an earlier version. OBJECTS has them.
VALUES = ", values: {gpu-operator: {driver: {nvidiaDriverCRD: {enabled: false}}}}"
OBJECTS = VALUES.replace("enabled: false", "enabled: true")
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: f}
spec:
  delivery: {repository: https://example.com/x}
  defaults: {stack: {driver: operator, keda: helm}}  # for all
  rings:
  - name: canary  # first
    clusters: [c1]
    stack:
      versions: {gpu-operator: v26.3.3}
      health: npd
  - {name: early, clusters: [c2], stack: {versions: {gpu-operator: "v25.10.1", keda: 2.19.0}}}
  - name: prod
    clusters: [c3]
    stack: {versions: {gpu-operator: v25.10.1}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [c1, c2, c3], sku: Standard_NC16as_T4_v3, limits: {gpus: 2}}
""".replace("keda: helm}", f"keda: helm{VALUES}}}")
KEDA = "https://wiki.contoso.com/keda"
CLUSTER = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: NAME}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
"""


def spec() -> str:
    """The current Fleet document."""
    return Path("fleet/fleet.yaml").read_bytes().decode()


def answer(run: Callable[..., Any], *words: str) -> dict[str, Any]:
    """The result in JSON. Asserts that it fits its schema."""
    report: dict[str, Any] = json.loads(run(*words, "-o", "json").out)
    assert list(Draft7Validator(REPORT).iter_errors(report)) == []
    return report


PINNED = CLUSTER.replace('"1.34"}', '"1.34", stack: {versions: {keda: 2.19.0, gpu-operator: v26.3.3}}}')
