"""The first build of an imported cluster does not restart the DaemonSets of an earlier release of gitgpu.

Such a release selected nodes by the names of pools. It set no requests and limits, except for the exporter and the
detector of GPU problems, or no limit of MPS.
"""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import yaml

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.emit import emit, emitters
from gitgpu.patch import apply_patches
from gitgpu.plan.cluster_plan import plan
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.inventories import inventory
from tests.emit.fleets import CATALOG, H100, MI300X, Body, cluster, emitted, fleet, pool

V710 = "Standard_NV24ads_V710_v5"
MPS = "nvidia-mps-control-daemon"
ALWAYS = ("dcgm-exporter", "gpu-problem-detector")  # containers that had requests before
POOLS = (
    pool("t4", partition={"mps": {"replicas": 4}}),
    pool("h100", H100, driver="operator"),
    pool("v710", V710, driver="none", devicePlugin=True),
    pool("ib", "Standard_ND96isr_H100_v5", rdma="sriov", image={"family": "Ubuntu2204"}),
)


AMD = (pool("mi300x", MI300X, driver="operator"),)


def built(pools: Iterable[Body] = POOLS) -> tuple[list[Body], list[Body]]:
    """The DaemonSets of this release, and all other objects of nodes."""
    output = emitted(fleet(stack={"health": "npd", "discovery": "gfd", "nodeSelection": "pools"}), cluster(), *pools)
    nodes = [*output.every("AKSNodeClass"), *output.every("NodePool"), *output.every("HelmRelease")]
    return output.every("DaemonSet"), [*nodes, *output.every("ConfigMap"), *output.every("HelmRepository")]


def earlier(daemon_set: Body) -> Body:
    """A DaemonSet as an earlier release built it."""
    older = deepcopy(daemon_set)
    pod = older["spec"]["template"]["spec"]
    for container in (*pod["containers"], *pod.get("initContainers", ())):
        if container["name"] not in ALWAYS:
            container.pop("resources", None)
    return older


def imported(*objects: Body) -> Imported:
    text = yaml.safe_dump_all(objects)
    return import_fleet(inventory({"one": text}), ClusterOptions(repository="https://e.com/f"), (), "fleet")


def templates(made: Imported) -> dict[str, Any]:
    """The pod templates of the first build."""
    assert made.checked.inputs
    [described] = made.checked.inputs.clusters
    decided = plan(made.checked.inputs, described)
    manifests = apply_patches(emit(decided, emitters()), decided).manifests
    bodies = [manifest.body for manifest in manifests if manifest.body["kind"] == "DaemonSet"]
    return {body["metadata"]["name"]: plain(body["spec"]["template"]) for body in bodies}


def plain(value: Any) -> Any:
    """The value as plain data: patches keep the order of keys."""
    return yaml.load(yaml.safe_dump(value), yaml.CSafeLoader)


def test_no_pod_template_of_an_earlier_release_changes() -> None:
    daemon_sets, others = built()
    older = [earlier(body) for body in daemon_sets]
    made = imported(*older, *others)
    first_build = templates(made)
    ran = {body["metadata"]["name"]: plain(body["spec"]["template"]) for body in older}
    assert first_build == {name: ran[name] for name in first_build}
    assert first_build.keys() >= {"nvidia-device-plugin", MPS, "gpu-feature-discovery"}
    assert "# Kept: the pods of these DaemonSets run without requests" in made.files["clusters/one/cluster.yaml"]


def test_a_container_that_runs_without_a_limit_keeps_that() -> None:
    daemon_sets, others = built()
    older = deepcopy(daemon_sets)
    daemon = next(body for body in older if body["metadata"]["name"] == MPS)
    del daemon["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]
    made = imported(*older, *others)
    assert templates(made)[MPS] == plain(daemon["spec"]["template"])
    [patch] = yaml.safe_load(made.files["clusters/one/cluster.yaml"])["spec"]["patches"]
    [container] = patch["patch"]["spec"]["template"]["spec"]["containers"]
    assert container == {"name": MPS, "resources": {"limits": None}}


def test_containers_that_have_them_are_not_patched() -> None:
    daemon_sets, others = built()
    made = imported(*daemon_sets, *others)
    assert "patches" not in made.files["clusters/one/cluster.yaml"]
    ran = {body["metadata"]["name"]: plain(body["spec"]["template"]) for body in daemon_sets}
    first_build = templates(made)
    assert first_build == {name: ran[name] for name in first_build}


def test_a_daemon_set_of_another_owner_is_not_patched() -> None:
    daemon_sets, others = built()
    renamed = [{**body, "metadata": {**body["metadata"], "namespace": "other"}} for body in map(earlier, daemon_sets)]
    assert "patches" not in imported(*renamed, *others).files["clusters/one/cluster.yaml"]


def test_containers_of_daemon_sets_have_requests_and_limits() -> None:
    for body in (*built()[0], *built(AMD)[0]):
        pod = body["spec"]["template"]["spec"]
        for container in (*pod["containers"], *pod.get("initContainers", ())):
            assert container["resources"]["requests"].keys() == {"cpu", "memory"}
            assert container["resources"]["limits"].keys() == {"memory"}
    assert CATALOG.must("containers", "nvidia-device-plugin")["memory"] == {"requests": "100Mi", "limits": "512Mi"}
