"""Every container of gitgpu's own in the example fleet has the requests, limits, probes and rights of decision 0033."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.emit.kinds import amdgpu_driver, mps_control_daemon
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.names import DAEMON_SETS, daemon_of

ROOT = Path(__file__).parents[2]
NONE: dict[str, Any] = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
AS_ROOT = {"runAsUser": 0, "runAsNonRoot": False, **NONE}
PRIVILEGED = {"privileged": True}
PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
WITHOUT_LIMIT = {"verify"}  # it holds whole GPUs, and is a Job
PROBED = {
    "dcgm-exporter": {"livenessProbe", "readinessProbe"},
    "nvidia-peermem": {"livenessProbe", "startupProbe"},
    "amdgpu-driver": {"readinessProbe"},
}
RIGHTS: dict[str, list[dict[str, Any]]] = {
    "amd-device-plugin": [NONE],
    "amdgpu-driver": [PRIVILEGED],
    "config-init": [NONE],
    "config-manager": [NONE],
    "dcgm-exporter": [AS_ROOT, {**AS_ROOT, "capabilities": {"drop": ["ALL"], "add": ["SYS_ADMIN"]}}],
    "driver": [NONE],
    "gpu-feature-discovery": [PRIVILEGED],
    "gpu-problem-detector": [PRIVILEGED],
    "hold": [NONE],
    "mount-shm": [PRIVILEGED],
    "nvidia-device-plugin": [NONE, PRIVILEGED, {"capabilities": {"add": ["SYS_ADMIN"]}}],
    "nvidia-mps-control-daemon": [PRIVILEGED],
    "nvidia-peermem": [PRIVILEGED],
    "verify": [NONE, {"runAsUser": 0, **NONE}],
}


def _containers() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each container that gitgpu writes with its image, and the file it is in; patches of workloads have none."""
    for path in sorted((ROOT / "overlays").glob("*/*/**/*.yaml")):
        body = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        if body.get("kind") in ("DaemonSet", "Deployment", "Job", "StatefulSet"):
            pod = body["spec"]["template"]["spec"]
            for container in [*pod.get("initContainers", []), *pod["containers"]]:
                if "image" in container:
                    yield path.name, container


@pytest.fixture(name="containers", scope="module")
def _every_container() -> list[tuple[str, dict[str, Any]]]:
    return list(_containers())


def test_each_has_requests_and_a_limit_of_memory(containers: list[tuple[str, dict[str, Any]]]) -> None:
    for path, container in containers:
        resources = container["resources"]
        assert {"cpu", "memory"} <= resources["requests"].keys(), path
        assert ("memory" in resources.get("limits", {})) == (container["name"] not in WITHOUT_LIMIT), path


def test_the_highest_limits_are_for_the_largest_sizes() -> None:
    catalog = Catalog(CatalogFiles())
    gpus = max(row["gpu"]["count"] or 0 for row in catalog.rows("skus").values())
    assert mps_control_daemon.MEMORY["limits"] == f"{16 * gpus}Gi"
    makers = {name: row["manufacturer"] for name, row in catalog.rows("gpus").items()}
    cpus = max(row["vcpus"] or 0 for row in catalog.rows("skus").values() if makers.get(row["gpu"]["name"]) == "amd")
    assert amdgpu_driver.MEMORY["limits"] == f"{2 * cpus}Gi"


def test_each_has_the_probes_and_the_rights_of_the_decision(containers: list[tuple[str, dict[str, Any]]]) -> None:
    for path, container in containers:
        name = container["name"]
        assert {key for key in PROBES if key in container} == PROBED.get(name, set()), path
        assert container["securityContext"] in RIGHTS[name], path


def test_the_example_fleet_has_every_daemon_set(
    containers: list[tuple[str, dict[str, Any]]],
) -> None:
    """So a new one is in these tables too."""
    kinds = (ROOT / "gitgpu" / "emit" / "kinds").glob("*.py")
    writers = [path for path in kinds if "daemon_set(" in path.read_text(encoding="utf-8")]
    names = {name.removeprefix("daemonset-").removesuffix(".yaml") for name, _ in containers if "daemonset-" in name}
    assert len({daemon_of(name) for name in names}) == len(writers) == len(DAEMON_SETS)
    assert {container["name"] for _, container in containers} == RIGHTS.keys()
