"""A profile of the scheduler that fills GPU nodes, and the pods that select it."""

import json
from typing import Any

import pytest

from gitgpu.emit.manifest import Layer, Role
from gitgpu.model.names.annotations import FLUX_PRUNE_ANNOTATION
from gitgpu.objects.workload.scheduler_profiles import NAME
from gitgpu.plan.scheduler import BINPACK
from tests.emit.fleets import CLUSTER_ID, Body, Emitted, cluster, emitted, fleet, plans, pool, workload

SIZE = "Standard_NC24ads_A100_v4"
PACKED: Body = {"scheduler": {"gpus": "binpack"}}
NODE_POOLS: Body = {"provisioner": "cluster-autoscaler", "resourceId": CLUSTER_ID}


def profile(output: Emitted) -> dict[str, Any]:
    """The only profile in the only object, which has the only name that AKS reads."""
    [body] = output.every("SchedulerConfiguration")
    assert body["metadata"]["name"] == NAME
    configuration = json.loads(body["spec"]["rawConfig"])
    [only] = configuration["profiles"]
    assert isinstance(only, dict)
    return only


def packed(output: Emitted) -> list[str]:
    """The resources by which the profile scores nodes."""
    arguments = {plugin["name"]: plugin["args"] for plugin in profile(output)["pluginConfig"]}
    strategy = arguments["NodeResourcesFit"]["scoringStrategy"]
    assert strategy["type"] == "MostAllocated"
    return [resource["name"] for resource in strategy["resources"]]


def scheduler_names(output: Emitted) -> list[Any]:
    """The schedulerName in each patch."""
    patches = [manifest.body for manifest in output.manifests if manifest.role is Role.PATCH]
    return [patch["spec"]["template"]["spec"].get("schedulerName") for patch in patches]


def test_pods_select_the_profile_that_is_written() -> None:
    output = emitted(fleet(), cluster(**PACKED), pool("t4"), workload("chat", ["t4"]))
    assert scheduler_names(output) == [profile(output)["schedulerName"]] == [BINPACK]
    assert packed(output) == ["nvidia.com/gpu"]


def test_without_the_setting_there_is_no_profile_and_nothing_selects_it() -> None:
    output = emitted(fleet(), cluster(), pool("t4"), workload("chat", ["t4"]))
    assert not output.every("SchedulerConfiguration")
    assert scheduler_names(output) == [None]


def test_nodes_are_scored_by_everything_that_their_pods_count() -> None:
    mig = {"mig": {"strategy": "mixed", "profiles": {"1g.10gb": 7}}}
    one = {"min": 1, "max": 1}
    pools = [
        pool("a100", SIZE, nodes=one),
        pool("slices", SIZE, nodes=one, driver="operator", partition=mig),
        pool("amd", "Standard_ND96isr_MI300X_v5", nodes=one, driver="operator"),
    ]
    output = emitted(fleet(), cluster(**PACKED, **NODE_POOLS), *pools)
    assert packed(output) == ["amd.com/gpu", "nvidia.com/gpu", "nvidia.com/mig-1g.10gb"]


def test_claimed_gpus_are_not_scored() -> None:
    setup = cluster(**PACKED, **NODE_POOLS, stack={"allocation": "dra"})
    output = emitted(fleet(), setup, pool("t4", nodes={"min": 1, "max": 1}), workload("chat", ["t4"]))
    assert not output.every("SchedulerConfiguration")
    assert scheduler_names(output) == [None]


def test_a_profile_outlives_the_setting_because_pods_may_still_select_it() -> None:
    [manifest] = [
        manifest
        for manifest in emitted(fleet(), cluster(**PACKED), pool("t4")).manifests
        if manifest.ref.kind == "SchedulerConfiguration"
    ]
    assert manifest.body["metadata"]["annotations"][FLUX_PRUNE_ANNOTATION] == "disabled"
    assert manifest.layer is Layer.WORKLOADS, "a cluster without the kind must not lack the device plugin"


def test_the_runbook_turns_profiles_on_before_the_overlays_are_applied() -> None:
    [update] = [
        prerequisite.update
        for prerequisite in plans(fleet(), cluster(**PACKED), pool("t4"))["one"].prerequisites
        if "scheduler" in " ".join(prerequisite.update)
    ]
    assert update == ("--enable-upstream-kubescheduler-user-configuration",)


@pytest.mark.parametrize(("own", "wanted"), [({}, BINPACK), ({"schedulerName": "mine"}, "mine")])
def test_a_job_keeps_its_own_scheduler(own: Body, wanted: str) -> None:
    pod = {"restartPolicy": "Never", "containers": [{"name": "batch", "image": "batch:1"}], **own}
    queue = {"serviceBus": {"namespace": "contoso", "queue": "films"}, "target": 1}
    job = workload(
        "batch",
        ["t4"],
        target={"kind": "Job", "name": "batch"},
        job={"template": {"spec": pod}},
        scaling={"identity": "11111111-2222-3333-4444-555555555555", "triggers": [queue], "max": 2},
    )
    output = emitted(fleet(), cluster(**PACKED, stack={"keda": "addon"}), pool("t4"), job)
    [scaled] = output.every("ScaledJob")
    assert scaled["spec"]["jobTargetRef"]["template"]["spec"]["schedulerName"] == wanted
