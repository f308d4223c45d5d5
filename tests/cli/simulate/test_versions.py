"""The Karpenter release that decides: of --versions, the configuration, the manifests, or the Cluster of a fleet."""

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import HEAD, SOUND, write
from tests.cli.simulate.test_simulate import WORKLOAD, manifests, reported
from tests.simulate.worlds import A100, CLASS, Body, deployment, pool, wants

CAPACITY = "karpenter.sh/capacity-type"
TWO = pool("a", A100, more=(wants(CAPACITY, "In", "spot", "on-demand", least=2),))
PODS = deployment("w", nodeSelector={CAPACITY: "on-demand"})
POOLS = ("--pools", "pools.yaml", "--region", "eastus")
OLD, NEW, OPEN = ("schedulable", True), ("unschedulable", True), ("schedulable", False)


def karpenter(tag: str) -> Body:
    """The Deployment of Karpenter."""
    body = deployment("karpenter")
    body["spec"]["template"]["spec"] = {
        "containers": [{"name": "controller", "image": f"mcr.microsoft.com/aks/karpenter/controller:{tag}"}]
    }
    return body


def decided(run: Run, *arguments: str) -> tuple[str, bool]:
    """The verdict on the workload, and whether it is certain."""
    workload = next(row for row in reported(run, *arguments)["workloads"] if row["name"] in ("w", "chat"))
    return workload["verdict"], workload["certain"]


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ("karpenter=1.14.0", OLD),
        ("karpenter=1.15", NEW),
        ("karpenter=1.14.1,karpenter=1.15", OPEN),
        ("keda=2.19", OPEN),
    ],
)
def test_the_release_is_named_on_the_command_line(run: Run, versions: str, expected: tuple[str, bool]) -> None:
    manifests("pools.yaml", CLASS, TWO, PODS)
    assert decided(run, *POOLS, "--versions", versions) == expected


def test_the_release_is_named_in_the_configuration(run: Run) -> None:
    manifests("pools.yaml", CLASS, TWO, PODS)
    assert decided(run, *POOLS) == OPEN
    write(f"{HEAD}Config\nlint: {{versions: {{karpenter: 1.15.0}}}}\n", ".gitgpu.yaml")
    assert decided(run, *POOLS) == NEW
    assert decided(run, *POOLS, "--versions", "karpenter=1.14.0") == OLD


@pytest.mark.parametrize(("tag", "expected"), [("v1.14.0", OLD), ("1.14.2", OLD), ("1.15.0", NEW)])
def test_the_release_is_that_of_the_image_in_the_manifests(run: Run, tag: str, expected: tuple[str, bool]) -> None:
    manifests("pools.yaml", CLASS, TWO, PODS, karpenter(tag))
    assert decided(run, *POOLS) == expected


def test_the_versions_of_a_fleet_are_in_the_fleet(run: Run) -> None:
    write(f"{SOUND}---\n{WORKLOAD}")
    ran = run("simulate", "--versions", "karpenter=1.15")
    assert (ran.code, "--versions needs --pools" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("versions", "message"), [("nova=1.0", "'nova' is not one of"), ("karpenter=new", "is not a version")]
)
def test_a_version_that_is_none_is_refused(run: Run, versions: str, message: str) -> None:
    manifests("pools.yaml", CLASS, TWO, PODS)
    ran = run("simulate", *POOLS, "--versions", versions)
    assert (ran.code, message in ran.err) == (2, True)


def test_a_release_that_is_not_known_is_noted(run: Run) -> None:
    manifests("pools.yaml", CLASS, TWO, PODS)
    ran = run("simulate", *POOLS, "--versions", "karpenter=9.9")
    assert "info[LNT014] Karpenter 9.9 is not known here: objects were checked as for" in ran.out + ran.err
