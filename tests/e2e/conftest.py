"""What the tests share: a control plane with all definitions, and a list of what was proved."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e import binaries, crds
from tests.e2e.client import Client
from tests.e2e.plane import control_plane, given, proxy

Proved = Callable[[str], None]
PROVED = pytest.StashKey[list[str]]()


class Cluster(NamedTuple):
    """A cluster to test with: its API, the kubeconfig for others, the binaries of Flux, a folder for logs."""

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
    """The cluster, with all definitions, and with what it is told."""
    sources = crds.folders() + ([cluster.binaries / "crds"] if cluster.binaries else [])
    count = crds.install(cluster.client, sources)
    version = cluster.client.request("GET", "/version").body["gitVersion"]
    proved(f"control plane: kube-apiserver {version}, {count} definitions of custom resources")
    return cluster


@pytest.fixture(scope="session")
def proved(request: pytest.FixtureRequest) -> Proved:
    """Call it with a line that says what was proved: all of them are printed at the end."""
    return request.config.stash.setdefault(PROVED, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what was proved, and by what."""
    terminalreporter.section("what was proved")
    for module, version in binaries.pins().items():
        terminalreporter.write_line(f"{module} {version}")
    for line in config.stash.get(PROVED, []):
        terminalreporter.write_line(line)
