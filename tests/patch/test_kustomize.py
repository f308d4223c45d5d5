"""A patch has the same effect as in Kustomize; compared with kubectl's Kustomize if available."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.diagnostic import ObjectRef
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.spec.origin import Origin, SpecObject
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.applied import after_patch
from gitgpu.patch.undone import judge
from gitgpu.source import SourceMap, Span
from tests.emit.fleets import cluster, fleet, plans
from tests.patch.fleets import compiled

DAEMONS = ("DaemonSet", "controllers/daemonset-nvidia-device-plugin.yaml")
POOL = ("NodePool", "nodes/nodepool-a100.yaml")
SCALED = ("ScaledObject", "workloads/scaledobject-chat.yaml")
PLAIN = compiled()
START = Span("fleet.yaml", 1, 1)


def pod(spec: Any) -> Any:
    """A patch of the pod template."""
    return {"spec": {"template": {"spec": spec}}}


def env(*entries: Any) -> Any:
    """A patch of the environment variables of a container."""
    return pod({"containers": [{"name": "config-manager", "env": list(entries)}]})


CASES = [
    (DAEMONS, pod({"containers": [{"name": "config-manager", "resources": {"limits": {"cpu": "1"}}}]})),
    (DAEMONS, env({"name": "ONESHOT", "value": "true"})),
    (DAEMONS, env({"name": "NEW", "value": "x"})),
    (DAEMONS, env({"name": "ONESHOT", "$patch": "delete"})),
    (DAEMONS, env({"name": "NEW", "value": "x"}, {"$patch": "replace"})),
    (DAEMONS, env({"$patch": "merge"}, {"name": "NEW", "value": "x"})),
    (DAEMONS, env({"name": "ONESHOT", "$patch": "merge"}, {"name": "NEW", "value": "x", "$patch": "merge"})),
    (DAEMONS, env({"name": "ONESHOT", "value": "x", "$patch": "replace"}, {"name": "NEW", "$patch": "replace"})),
    (DAEMONS, env({"$patch": "delete"}, {"name": "NEW", "value": "x"})),
    (DAEMONS, env({"$patch": "replace"})),
    (DAEMONS, pod({"tolerations": [{"operator": "Exists"}], "priorityClassName": "high"})),
    (DAEMONS, pod({"volumes": [{"name": "extra", "emptyDir": {}}]})),
    (DAEMONS, {"spec": {"updateStrategy": None}}),
    (DAEMONS, {"metadata": {"annotations": {"a/b": "c"}}}),
    (POOL, {"spec": {"weight": 5, "limits": {"cpu": "100"}}}),
    (POOL, {"spec": {"limits": {"$patch": "replace", "cpu": "100"}}}),
    (POOL, pod({"startupTaints": [{"key": "a", "effect": "NoSchedule"}]})),
    (POOL, {"spec": {"limits": None}}),
    (POOL, [{"op": "add", "path": "/metadata/annotations/a.b~1c", "value": "d"}]),
    (POOL, [{"op": "add", "path": "/spec/template/spec/requirements/0", "value": {"key": "a", "operator": "Exists"}}]),
    (POOL, [{"op": "replace", "path": "/spec/limits", "value": {"cpu": "1"}}]),
    (
        POOL,
        [
            {"op": "copy", "from": "/spec/limits", "path": "/spec/limits/other"},
            {"op": "remove", "path": "/spec/limits/other"},
        ],
    ),
    (SCALED, {"spec": {"pollingInterval": 5, "triggers": None}}),
]


def sorted_lists(value: Any) -> Any:
    """A value with its lists of named entries in order: Kustomize puts new entries first."""
    if isinstance(value, list):
        entries = [sorted_lists(entry) for entry in value]
        named = all(isinstance(entry, dict) and "name" in entry for entry in entries)
        return sorted(entries, key=lambda entry: str(entry["name"])) if named else entries
    return {key: sorted_lists(below) for key, below in value.items()} if isinstance(value, dict) else value


@pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
@pytest.mark.parametrize(("what", "change"), CASES)
def test_patches_give_the_same_as_kustomize(tmp_path: Path, what: tuple[str, str], change: Any) -> None:
    kind, path = what
    name = PLAIN.body(path)["metadata"]["name"]
    (tmp_path / "object.yaml").write_text(PLAIN.files[path])
    entry = {"target": {"kind": kind, "name": name}, "patch": yaml.safe_dump(_text(change, PLAIN.body(path)))}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump({"resources": ["object.yaml"], "patches": [entry]}))
    command = ["kubectl", "kustomize", str(tmp_path)]
    theirs = yaml.load(subprocess.run(command, capture_output=True, check=True, text=True).stdout, yaml.CSafeLoader)
    origin = Origin(SourceMap.of(START), SpecObject(START, ObjectRef("Cluster", "", "prod")))
    manifest = Manifest("prod", Layer.NODES, PLAIN.body(path), origin.mark)
    patch = Patch({"kind": kind}, change, origin, ("spec", "patches", 0))
    ours, faults = after_patch(manifest, patch, judge(plans(fleet(), cluster())["one"]))
    assert faults == []
    assert sorted_lists(ours.body) == sorted_lists(theirs)


def _text(change: Any, body: Any) -> Any:
    """The patch as Kustomize needs it: a merged part names the object."""
    if isinstance(change, list):
        return change
    meta = {**change.get("metadata", {}), "name": body["metadata"]["name"]}
    return {**change, "apiVersion": body["apiVersion"], "kind": body["kind"], "metadata": meta}
