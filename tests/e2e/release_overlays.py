"""Overlays with a release of KEDA, built and delivered by Flux, with the charts of a local repository."""

from collections.abc import Collection

import yaml

from tests.e2e.client import Client
from tests.e2e.fleet import kustomize, prepare
from tests.e2e.flux import pointed, settle
from tests.e2e.githost import Repository
from tests.e2e.test_handover import BASIS, fleet_command
from tests.e2e.test_helm import local


def deliver(client: Client, served: Repository, charts: str, layers: Collection[str] = ()) -> None:
    """Builds the overlays of cluster prod, commits and applies them, and waits for these layers, or for all."""
    (served.tree / ".gitgpu.yaml").write_text(BASIS, encoding="utf-8")
    fleet_command(served.tree, "build")
    folder = served.tree / "overlays" / "prod" / "controllers"
    for path in (folder / "helmrelease-keda.yaml", folder / "helmrepository-keda.yaml"):
        body = local(yaml.safe_load(path.read_text(encoding="utf-8")), charts)
        path.write_text(yaml.safe_dump(body), encoding="utf-8")
    commit = served.commit("overlays")
    sync = [pointed(body, served.url) for body in kustomize(served.tree / "overlays/prod/sync")]
    prepare(client, sync)
    for body in sync:
        client.apply(body)
    settle(client, commit, layers)
