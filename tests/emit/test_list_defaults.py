"""Defaults inside lists of a ScaledJob are written, because Argo CD compares lists item by item."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.emit.pod.list_defaults import with_list_defaults

CRDS = Path(__file__).parents[3] / "shared" / "crds"
POD: dict[str, Any] = {
    "containers": [
        {
            "name": "main",
            "ports": [{"containerPort": 80}, {"containerPort": 53, "protocol": "UDP"}],
            "livenessProbe": {"grpc": {"port": 1}},
            "readinessProbe": {"httpGet": {"port": 1}},
            "env": [{"name": "A", "valueFrom": {"fileKeyRef": {"path": "a"}}}, {"name": "B", "value": "1"}],
        }
    ],
    "initContainers": [{"name": "first", "startupProbe": {"grpc": {"port": 1, "service": "own"}}}],
    "volumes": [{"name": "a", "azureDisk": {"diskName": "a"}}, {"name": "b", "emptyDir": {}}],
}


def test_only_missing_values_are_written() -> None:
    job: dict[str, Any] = {"backoffLimit": 2, "template": {"metadata": {}, "spec": POD}}
    result = with_list_defaults(job)
    pod = result["template"]["spec"]
    [main] = pod["containers"]
    assert main["ports"] == [{"containerPort": 80, "protocol": "TCP"}, {"containerPort": 53, "protocol": "UDP"}]
    assert main["livenessProbe"] == {"grpc": {"port": 1, "service": ""}}
    assert main["readinessProbe"] == {"httpGet": {"port": 1}}
    assert main["env"][0]["valueFrom"] == {"fileKeyRef": {"path": "a", "optional": False}}
    assert pod["initContainers"] == POD["initContainers"]
    assert pod["volumes"][0]["azureDisk"] == {"diskName": "a", "fsType": "ext4", "readOnly": False}
    assert pod["volumes"][1] == POD["volumes"][1]
    assert with_list_defaults(result) == result
    assert job["template"]["spec"] is POD


@pytest.mark.skipif(not CRDS.is_dir(), reason="needs the CRDs")
def test_the_defaults_are_those_of_the_crd() -> None:
    """All of them, except empty names of references, which are not valid."""
    crd = yaml.load((CRDS / "keda.sh_scaledjobs.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    pod = schema["properties"]["spec"]["properties"]["jobTargetRef"]["properties"]["template"]["properties"]["spec"]
    sample, expected = _sample(pod, with_defaults=False), _sample(pod, with_defaults=True)
    assert with_list_defaults({"template": {"spec": sample}})["template"]["spec"] == expected


def _sample(schema: Any, *, with_defaults: bool) -> Any:
    """A value with every mapping of a schema, and a default for each scalar that has one."""
    if schema.get("type") == "array":
        return [_sample(schema["items"], with_defaults=with_defaults)]
    value: dict[str, Any] = {}
    for key, below in schema.get("properties", {}).items():
        if key == "ephemeralContainers":
            continue
        if below.get("type") in ("object", "array"):
            value[key] = _sample(below, with_defaults=with_defaults)
        elif with_defaults and "default" in below and (below["default"] != "" or key == "service"):
            value[key] = below["default"]
    return value
