"""Kustomize accepts and renders all output, and patches a workload that includes its component."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.objects.delivery.patches import apply_patches, changes
from gitgpu.runs.build import build
from gitgpu.runs.validate import read_fleet

ROOT = Path(__file__).parents[1]
FOUND = {"kustomize": ["kustomize", "build"], "kubectl": ["kubectl", "kustomize"]}
COMMAND = next((command for name, command in FOUND.items() if shutil.which(name)), None)
FLEET = list(yaml.load_all((ROOT / "fleet.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader))
RUNBOOK = "runbook"  # to read; not part of any kustomization
VERIFY = "verify"  # a separate kustomization, applied manually
CLUSTERS = [body["metadata"]["name"] for body in FLEET if body["kind"] == "Cluster"]
APP = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: ranker}
spec:
  selector: {matchLabels: {app: ranker}}
  template:
    metadata: {labels: {app: ranker}}
    spec:
      containers:
      - {name: sidecar, image: "example.com/sidecar:1"}
      - {name: ranker, image: "example.com/ranker:1", resources: {limits: {memory: 8Gi}}}
"""
PATCH_HEAD = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ranker}\n"


@pytest.fixture(scope="module")
def overlays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example fleet, built."""
    folder = tmp_path_factory.mktemp("kustomize") / "overlays"
    for path, text in build(read_fleet([str(ROOT / "fleet.yaml")])).files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def kustomize(folder: Path) -> list[dict[str, Any]]:
    """The objects that `kubectl kustomize` prints for a folder."""
    if COMMAND is None:
        pytest.skip("neither kustomize nor kubectl is on this machine")
    done = subprocess.run([*COMMAND, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return list(yaml.load_all(done.stdout, yaml.CSafeLoader))


def identity(body: dict[str, Any]) -> tuple[str, str, str, str]:
    """What identifies an object."""
    meta = body["metadata"]
    return body["apiVersion"], body["kind"], meta.get("namespace", ""), meta["name"]


def resources(folder: Path) -> list[dict[str, Any]]:
    """The objects in a folder and its subfolders, without patches."""
    components = {path.parent for path in folder.rglob("kustomization.yaml") if "kind: Component" in path.read_text()}
    paths = (path for path in folder.rglob("*.yaml") if path.name != "kustomization.yaml")
    apart = components | {folder / VERIFY}
    return [yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) for path in paths if path.parent not in apart]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_cluster_renders_every_object(overlays: Path, cluster: str) -> None:
    """Every object is rendered once and unchanged."""
    shown, written = kustomize(overlays / cluster), resources(overlays / cluster)
    assert sorted(shown, key=identity) == sorted(written, key=identity)
    assert len(shown) > 10


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_every_layer_can_be_applied_alone(overlays: Path, cluster: str) -> None:
    """Flux and Argo CD apply each layer separately."""
    for layer in sorted(path for path in (overlays / cluster).iterdir() if path.is_dir() and path.name != RUNBOOK):
        assert len(kustomize(layer)) == len(resources(layer))


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_folder_lists_what_is_in_it(overlays: Path, cluster: str) -> None:
    for path in (overlays / cluster).rglob("kustomization.yaml"):
        index = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        listed = [*index.get("resources", ()), *(patch["path"] for patch in index.get("patches", ()))]
        files = {item.name for item in path.parent.glob("*.yaml")} - {path.name}
        folders = {item.name for item in path.parent.iterdir() if item.is_dir()} - {RUNBOOK, VERIFY}
        components = {name for name in folders if "kind: Component" in (path.parent / name / path.name).read_text()}
        assert set(listed) == files | (folders - components)
        assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("namespace", ["in the object", "in kustomization.yaml"])
def test_a_workload_includes_its_component(overlays: Path, tmp_path: Path, namespace: str) -> None:
    """In both ways to set the namespace of an application."""
    inside = namespace == "in the object"
    app = tmp_path / "app"
    app.mkdir()
    text = APP.replace("{name: ranker}\nspec", "{name: ranker, namespace: serving}\nspec") if inside else APP
    (app / "deployment.yaml").write_text(text, encoding="utf-8")
    shutil.copytree(overlays / "prod-swc" / "workloads" / "serving.ranker", app / "gpu")
    head = "" if inside else "namespace: serving\n"
    index = f"{head}resources: [deployment.yaml]\ncomponents: [gpu]\n"
    (app / "kustomization.yaml").write_text(index, encoding="utf-8")
    [deployment] = kustomize(app)
    queue = {"kueue.x-k8s.io/queue-name": "serving"}
    assert deployment["metadata"] == {"name": "ranker", "namespace": "serving", "labels": queue}
    pod = deployment["spec"]["template"]["spec"]
    containers = {container["name"]: container for container in pod["containers"]}
    assert containers["ranker"]["image"] == "example.com/ranker:1"
    assert containers["ranker"]["resources"]["limits"] == {"memory": "8Gi", "nvidia.com/gpu": "1"}
    assert "resources" not in containers["sidecar"]
    assert {toleration["key"] for toleration in pod["tolerations"]} == {"sku", "kubernetes.azure.com/scalesetpriority"}
    [term] = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term["matchExpressions"] == [{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["t4-share"]}]


@pytest.mark.parametrize(
    "change",
    [
        "{volumes: [{$patch: replace}, {name: a, emptyDir: {}}]}",
        "{containers: [{name: sidecar, env: [{$patch: merge}, {name: A, value: b}]}]}",
        "{containers: [{name: sidecar, ports: [{$patch: delete}]}]}",
        "{containers: [{$patch: replace}, {name: a, env: [{$patch: replace}, {name: A}], ports: [{$patch: delete}]}]}",
        "{initContainers: [{name: a, env: [{$patch: replace}, {name: A}], ports: [{$patch: delete}]}]}",
        "{volumes: [{name: a, $patch: delete}, {name: b, $patch: replace}, {name: c, secret: null}]}",
        "{containers: [{name: sidecar, ports: [{containerPort: 1}, {containerPort: 1, protocol: UDP}]}]}",
        "{tolerations: [{$patch: replace}, {key: a}]}",
        "{nodeSelector: {$patch: replace, a: b}}",
    ],
)
def test_directives_have_the_effect_that_they_have_in_kustomize(tmp_path: Path, change: str) -> None:
    patch = f"spec: {{template: {{spec: {change}}}}}"
    spec = {"resources": ["app.yaml"], "patches": [{"target": {"kind": "Deployment"}, "patch": PATCH_HEAD + patch}]}
    (tmp_path / "app.yaml").write_text(APP, encoding="utf-8")
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(spec), encoding="utf-8")
    [rendered] = kustomize(tmp_path)
    assert apply_patches(yaml.load(APP, yaml.CSafeLoader), changes(spec)) == rendered


def test_the_health_script_is_added_to_argo_cds_settings(overlays: Path, tmp_path: Path) -> None:
    """As in Argo CD's own manifests, where the ConfigMap has no namespace."""
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\ndata: {url: https://argocd.example.com}\n"
    (tmp_path / "argocd-cm.yaml").write_text(text, encoding="utf-8")
    shutil.copytree(overlays / "lab-weu" / "sync" / "argocd-cm", tmp_path / "gpu")
    index = "namespace: argocd\nresources: [argocd-cm.yaml]\ncomponents: [gpu]\n"
    (tmp_path / "kustomization.yaml").write_text(index, encoding="utf-8")
    [settings] = kustomize(tmp_path)
    health = "resource.customizations.health"
    assert set(settings["data"]) == {"url", f"{health}.apps_DaemonSet", f"{health}.karpenter.azure.com_AKSNodeClass"}
