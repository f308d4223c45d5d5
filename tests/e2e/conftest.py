"""Shared by all tests: a control plane with all CRDs, and a list of the verified results."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e import argo, binaries, crds
from tests.e2e.client import Client
from tests.e2e.fleet import OVERLAYS
from tests.e2e.flux import flux
from tests.e2e.githost import Repository, repository
from tests.e2e.plane import control_plane, given, proxy
from tests.e2e.standins import Company, company

Proved = Callable[[str], None]
PROVED = pytest.StashKey[list[str]]()


class Cluster(NamedTuple):
    """A cluster to test with: its API, the kubeconfig for others, the Flux binaries, a folder for logs."""

    client: Client
    kubeconfig: Path
    binaries: Path | None
    folder: Path


@pytest.fixture(scope="session")
def programs() -> Path | None:
    """The folder of binaries, or nothing where Go is missing and KUBECONFIG names a cluster."""
    try:
        return binaries.binaries()
    except (OSError, RuntimeError):
        if given():
            return None
        raise


@pytest.fixture(scope="session")
def cluster(programs: Path | None, tmp_path_factory: pytest.TempPathFactory, proved: Proved) -> Iterator[Cluster]:
    """The cluster of KUBECONFIG, else one on loopback; with every definition in it."""
    folder = tmp_path_factory.mktemp("cluster")
    kubeconfig = given()
    if kubeconfig:
        with proxy(kubeconfig, folder) as url:
            yield prepared(Cluster(Client(url), kubeconfig, programs, folder), proved)
        return
    assert programs
    with control_plane(programs, folder) as own, proxy(own, folder) as url:
        yield prepared(Cluster(Client(url), own, programs, folder), proved)


def prepared(cluster: Cluster, proved: Proved) -> Cluster:
    """The cluster, with all definitions and its configuration."""
    sources = crds.folders() + ([cluster.binaries / "crds", argo.built() / "crds"] if cluster.binaries else [])
    count = crds.install(cluster.client, sources)
    version = cluster.client.request("GET", "/version").body["gitVersion"]
    where = "of KUBECONFIG" if given() else "on 127.0.0.1; no scheduler and no kubelet: pods are made, none runs"
    proved(f"control plane {where}: kube-apiserver {version}, {count} definitions of custom resources")
    return cluster


@pytest.fixture(scope="session")
def around(cluster: Cluster, proved: Proved) -> Iterator[Company]:
    """Flux's controllers, and the stand-ins for all other controllers that write a status."""
    if cluster.binaries is None:
        pytest.skip("Flux's controllers are built by Go, which is not installed")
    with (
        flux(cluster.binaries, cluster.kubeconfig, cluster.client, cluster.folder),
        company(cluster.client) as operators,
    ):
        yield operators
        proved(f"stood in for, by a status that the test writes: {', '.join(sorted(operators.written))}")


@pytest.fixture
def committed(tmp_path: Path) -> Iterator[tuple[Repository, str]]:
    """A repository with the committed overlays, and its commit."""
    with repository(tmp_path) as served:
        shutil.copytree(OVERLAYS, served.tree / OVERLAYS.name)
        yield served, served.commit("the overlays")


@pytest.fixture(scope="session")
def proved(request: pytest.FixtureRequest) -> Proved:
    """Call it with a line that says what was proved: all of them are printed at the end."""
    return request.config.stash.setdefault(PROVED, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what was proved, and by what."""
    terminalreporter.section("what was proved")
    for module, version in {**binaries.pins(), **binaries.pins(argo.MODULE)}.items():
        terminalreporter.write_line(f"{module} {version}")
    for line in config.stash.get(PROVED, []):
        terminalreporter.write_line(line)
