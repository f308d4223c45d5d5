"""Overlays as Flux or Argo CD reads them: the layers of a cluster in the order of `sync/`, rendered by Kustomize."""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.e2e.client import Client, Object
from tests.e2e.processes import until

ROOT = Path(__file__).parents[2]
OVERLAYS = ROOT / "overlays"
OURS = "app.kubernetes.io/managed-by=gitgpu"
# What each layer needs before it is applied. It is stated here, and not read from the overlays, which must have it.
NEEDS = {
    "controllers": set(),
    "nodes": {"controllers"},
    "monitoring": {"controllers"},
    "workloads": {"nodes", "monitoring"},
    "models": {"nodes", "monitoring", "workloads"},
}
WAVES = {"controllers": 0, "monitoring": 1, "nodes": 2, "workloads": 2, "models": 2}
OF_THE_CLUSTER = ("CustomResourceDefinition", "Namespace")  # engines apply these first


class Layer(NamedTuple):
    """A folder that an engine applies as one: its name, and the objects in it."""

    name: str
    objects: tuple[Object, ...]


def gitgpu(folder: Path, *arguments: str) -> str:
    """The output of the command. `plan` may exit with 1, which means changes."""
    command = [sys.executable, "-m", "gitgpu", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr + done.stdout
    assert done.returncode == 0 or arguments[0] == "plan", done.stderr + done.stdout
    return done.stdout


def clusters(engine: str = "", overlays: Path = OVERLAYS) -> list[str]:
    """The clusters of the fleet, or those of one engine: `flux` or `argocd`."""
    marks = {"flux": "gitrepository-*.yaml", "argocd": "application-*.yaml", "": "*.yaml"}
    return sorted(path.parent.name for path in overlays.glob("*/sync") if any(path.glob(marks[engine])))


def read(folder: Path, pattern: str = "*.yaml") -> list[Object]:
    """The objects in the files of a folder."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob(pattern)))
    return [body for text in texts for body in yaml.load_all(text, yaml.CSafeLoader)]


def kustomize(folder: Path) -> list[Object]:
    """The objects that Kustomize renders for a folder, which an engine would apply."""
    done = subprocess.run(["kubectl", "kustomize", str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return [body for body in yaml.load_all(done.stdout, yaml.CSafeLoader) if body]


def layers(cluster: str, overlays: Path = OVERLAYS) -> list[Layer]:
    """The layers of a cluster, each after those that it depends on; the engine's own configuration comes last."""
    sync = read(overlays / cluster / "sync", "[!k]*.yaml") + read(overlays / cluster / "sync", "kustomization-*.yaml")
    paths = list(of_flux(sync)) or list(of_argo_cd(sync))
    named = [Layer(Path(path).name, tuple(in_order(kustomize(overlays.parent / path)))) for path in paths]
    return [*named, Layer("sync", tuple(kustomize(overlays / cluster / "sync")))]


def of_flux(sync: Iterable[Object]) -> Iterator[str]:
    """The paths of Kustomizations, by `dependsOn`."""
    by_name = {
        body["metadata"]["name"]: body["spec"] for body in sync if body["apiVersion"].startswith("kustomize.toolkit")
    }
    needs = {name: [other["name"] for other in spec.get("dependsOn", ())] for name, spec in sorted(by_name.items())}
    yield from (by_name[name]["path"] for name in TopologicalSorter(needs).static_order())


def of_argo_cd(sync: Iterable[Object]) -> Iterator[str]:
    """The paths of the sources of an Application, in the order in which it lists them."""
    for body in sync:
        yield from (source["path"] for source in body.get("spec", {}).get("sources", ()) if "path" in source)


def in_order(objects: Iterable[Object]) -> list[Object]:
    """Objects as an engine applies them within a layer: namespaces, then classes, then the rest."""
    return sorted(objects, key=lambda body: (body["kind"] not in OF_THE_CLUSTER, not body["kind"].endswith("Class")))


def identity(body: Object) -> str:
    """The name of an object in messages."""
    metadata = body["metadata"]
    return f"{body['kind']} {'/'.join(filter(None, (metadata.get('namespace'), metadata['name'])))}"


def prepare(client: Client, objects: Iterable[Object]) -> list[str]:
    """Make the namespaces that the objects need and that none of them is, as the owner of the cluster would."""
    absent = missing(objects)
    for name in absent:
        namespace(client, name)
    return absent


def missing(objects: Iterable[Object]) -> list[str]:
    """The namespaces that objects are in, and that none of them is."""
    known = list(objects)
    made = {body["metadata"]["name"] for body in known if body["kind"] == "Namespace"}
    return sorted({body["metadata"]["namespace"] for body in known if "namespace" in body["metadata"]} - made)


def namespace(client: Client, name: str) -> None:
    """A namespace, ready to take pods: with the ServiceAccount that a pod has when it names none."""
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}, manager="owner-of-the-cluster")
    until(lambda: client.get(account(name)), f"the default ServiceAccount of {name}")


def account(namespace_name: str) -> dict[str, Any]:
    """The identity of the ServiceAccount that every namespace gets."""
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": namespace_name}}


def wipe(client: Client) -> None:
    """Delete everything that gitgpu made, but for namespaces, which go slowly, and which the next test wants anyway."""
    for api_version, kind in client.kinds(lambda group: group != "apiextensions.k8s.io"):
        if kind != "Namespace":
            for body in client.list(api_version, kind, OURS):
                client.delete(body)
