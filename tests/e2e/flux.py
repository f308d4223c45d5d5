"""Flux's source-, kustomize- and helm-controller next to the API server, and their configuration."""

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.e2e.client import Client, Object
from tests.e2e.fleet import OVERLAYS, kustomize, namespace, wipe
from tests.e2e.githost import Repository
from tests.e2e.processes import LOOPBACK, answers, free_port, running, until

NAMESPACE = "flux-system"
KUSTOMIZATION = ("kustomize.toolkit.fluxcd.io/v1", "Kustomization")
SETTLES_WITHIN = 240  # seconds: four or five layers, each with health checks every five seconds
REQUESTED = "reconcile.fluxcd.io/requestedAt"
# source-controller and helm-controller see only these. Charts cannot be downloaded, so stand-ins write their status.
LOCAL = {"e2e.gitgpu.dev/source": "local"}


@contextmanager
def flux(binaries: Path, kubeconfig: Path, client: Client, folder: Path) -> Iterator[None]:
    """The controllers, until the context ends."""
    namespace(client, NAMESPACE)
    store, selector = f"{LOOPBACK}:{free_port()}", ",".join(f"{key}={value}" for key, value in LOCAL.items())
    (folder / "artifacts").mkdir(exist_ok=True)
    serves = [f"--storage-path={folder / 'artifacts'}", f"--storage-addr={store}", f"--storage-adv-addr={store}"]
    with ExitStack() as stack:
        for name, arguments in {
            "source-controller": [*serves, f"--watch-label-selector={selector}"],
            "helm-controller": [f"--watch-label-selector={selector}", "--requeue-dependency=1s"],
            "kustomize-controller": ["--requeue-dependency=1s"],
        }.items():
            health = f"{LOOPBACK}:{free_port()}"
            listens = [f"--health-addr={health}", f"--metrics-addr={LOOPBACK}:{free_port()}"]
            log = folder / f"{name}.log"
            env = {"KUBECONFIG": str(kubeconfig), "RUNTIME_NAMESPACE": NAMESPACE, "TMPDIR": str(folder)}
            program = stack.enter_context(running([binaries / name, *listens, *arguments], log, env))
            program.until(partial(answers, f"http://{health}/healthz"))
        yield


def sync(name: str, repository: Repository, overlays: Path = OVERLAYS) -> list[Object]:
    """The objects in `sync/` that a person applies, with the URL of the local repository."""
    return [pointed(body, repository.url) for body in kustomize(overlays / name / "sync")]


def pointed(body: Object, url: str) -> Object:
    """A source that is the local repository, with the mark that source-controller looks for; others as they are."""
    if body["kind"] != "GitRepository":
        return body
    metadata = {**body["metadata"], "labels": {**body["metadata"].get("labels", {}), **LOCAL}}
    return {**body, "metadata": metadata, "spec": {**body["spec"], "url": url}}


@contextmanager
def delivered(client: Client, objects: Sequence[Object]) -> Iterator[None]:
    """Apply what Flux is pointed at; at the end, delete it and everything that it created."""
    for body in objects:
        client.apply(body)
    try:
        yield
    finally:
        for body in client.list(*KUSTOMIZATION):
            client.merge(body, {"spec": {"suspend": True}})
        for body in client.list(*KUSTOMIZATION):
            client.delete(body)
        until(lambda: not client.list(*KUSTOMIZATION), "Flux lets go of its Kustomizations")
        wipe(client)


def fetch(client: Client) -> None:
    """Requests a reconciliation from source-controller."""
    for body in client.list("source.toolkit.fluxcd.io/v1", "GitRepository"):
        client.merge(body, {"metadata": {"annotations": {REQUESTED: str(time.time_ns())}}})


def ready(body: Object, commit: str = "") -> bool:
    """Whether Flux has applied this commit and everything is healthy."""
    status = body.get("status") or {}
    current = status.get("observedGeneration") == body["metadata"]["generation"]
    return current and condition(body).get("status") == "True" and commit in status.get("lastAppliedRevision", "")


def condition(body: Object, name: str = "Ready") -> dict[str, Any]:
    """A condition of an object; empty when it has none."""
    conditions = (body.get("status") or {}).get("conditions", ())
    return next((dict(each) for each in conditions if each["type"] == name), {})


def kustomizations(client: Client) -> dict[str, Object]:
    """The Kustomizations by layer: the last part of their path."""
    return {Path(body["spec"]["path"]).name: body for body in client.list(*KUSTOMIZATION)}


def messages(client: Client) -> dict[str, str]:
    """The Flux message for each layer."""
    return {name: str(condition(body).get("message", "")) for name, body in kustomizations(client).items()}


def settle(client: Client, commit: str, layers: Collection[str] = (), within: float = SETTLES_WITHIN) -> None:
    """Waits until Flux has applied a commit to these layers, or to all, and they are healthy."""

    def settled() -> bool:
        by_layer = kustomizations(client)
        return bool(by_layer) and all(
            ready(body, commit) for name, body in by_layer.items() if not layers or name in layers
        )

    fetch(client)
    try:
        until(settled, f"{', '.join(layers) or 'every layer'} at {commit[:8]}", within)
    except TimeoutError as error:
        raise AssertionError(f"{error}; {messages(client)}") from error
