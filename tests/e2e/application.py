"""An Application that Argo CD follows, changes to its source, and its status."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.client import Client, Object
from tests.e2e.fleet import OURS, Layer, layers, wipe
from tests.e2e.githost import Repository
from tests.e2e.standins import Company

NAME = "lab-weu"
WAVE = "argocd.argoproj.io/sync-wave"
REFRESH = "argocd.argoproj.io/refresh"


class Story(NamedTuple):
    """A cluster that Argo CD syncs from a repository, and the stand-ins for all other controllers."""

    client: Client
    served: Repository
    others: Company
    application: Object

    def edit(self, swaps: Mapping[str, str], *options: str) -> str:
        """Replaces texts in the spec, builds, commits, and notifies Argo CD like a webhook. Returns the commit."""
        spec = self.served.tree / "fleet.yaml"
        text = spec.read_text(encoding="utf-8")
        for old, new in swaps.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        spec.write_text(text, encoding="utf-8")
        gitgpu(self.served.tree, "build", *options)
        commit = self.served.commit("an edit")
        self.annotate(REFRESH, "normal")
        return commit

    def annotate(self, key: str, value: str) -> None:
        """Sets an annotation on the Application."""
        self.client.merge(self.application, {"metadata": {"annotations": {key: value}}})

    def now(self) -> Object:
        """The current Application."""
        return self.client.get(self.application) or {}

    def status(self) -> dict[str, Any]:
        """The status of the Application."""
        return self.now().get("status") or {}

    def operation(self) -> dict[str, Any]:
        """The state of the last sync."""
        return self.status().get("operationState") or {}

    def message(self) -> str:
        """The message of the last sync."""
        return str(self.operation().get("message", ""))

    def verdict(self) -> tuple[str, str]:
        """The sync status and the health status."""
        status = self.status()
        return status.get("sync", {}).get("status", ""), status.get("health", {}).get("status", "")

    def out_of_sync(self) -> list[str]:
        """The objects that are out of sync."""
        resources = self.status().get("resources", ())
        return [f"{body['kind']} {body['name']}" for body in resources if body.get("status") != "Synced"]

    def ours(self) -> list[Object]:
        """Every gitgpu object in the cluster that has a wave."""
        kinds = {(body["apiVersion"], body["kind"]) for layer in self.wanted() for body in layer}
        bodies = [body for kind in sorted(kinds) for body in self.client.list(*kind, OURS)]
        return [body for body in bodies if WAVE in body["metadata"].get("annotations", {})]

    def wanted(self) -> list[tuple[Object, ...]]:
        """The objects in the repository, by layer."""
        return [layer.objects for layer in self.layers()]

    def layers(self) -> list[Layer]:
        """The layers in the repository."""
        return [layer for layer in layers(NAME, self.served.tree / "overlays") if layer.name != "sync"]

    def waves(self) -> list[int]:
        """The waves that have an object in the cluster."""
        return sorted({int(body["metadata"]["annotations"][WAVE]) for body in self.ours()})


def local(application: Object, url: str) -> Object:
    """The Application with the local repository in the place of the one that the spec names, which must be https."""
    sources = [{**source, "repoURL": url} for source in application["spec"]["sources"]]
    return {**application, "spec": {**application["spec"], "sources": sources}}


@contextmanager
def pointed(client: Client, application: Object) -> Iterator[None]:
    """Argo CD pointed at the repository; at the end, it is disconnected, and everything that it created is deleted."""
    client.apply(application)
    try:
        yield
    finally:
        client.delete(application)
        wipe(client)


def gitgpu(folder: Path, *arguments: str) -> None:
    """Runs the command. Asserts that it succeeds."""
    command = [sys.executable, "-m", "gitgpu", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
