"""GPUs through ResourceClaims: one driver instead of the device plugin, and workloads with claims."""

import json

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.emit import emit
from gitgpu.emit.manifest import Role
from gitgpu.emit.pages.streaming import PAGE
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.link import link
from gitgpu.objects.objects import Given
from gitgpu.plan.cluster_plan import plan
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.rules.object_findings import object_findings
from gitgpu.source import SourceMap
from tests.emit.fleets import (
    CATALOG,
    CLUSTER_ID,
    EMITTERS,
    H100,
    Body,
    Emitted,
    cluster,
    emitted,
    fleet,
    plans,
    pool,
    workload,
)
from tests.oracles.cel import needs_crds, upstream_faults
from tests.rules.objects.samples import shared_norms

DRA: Body = {"stack": {"allocation": "dra"}}
OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}
TWO_H100 = "Standard_NC80adis_H100_v5"
GB300 = "Standard_ND128isr_GB300_v6"
WAITING = "DRA003"  # nothing starts nodes for the workload; here, only its objects matter


def claimed(*documents: Body) -> Emitted:
    """The output for cluster "one" of a fleet. The only error allowed is that nothing starts its nodes."""
    text = "\n---\n".join(json.dumps(document) for document in documents)
    shaped, _ = shape([Text("fleet.yaml", text, "fleet.yaml")])
    inputs, faults = link(shaped, CATALOG)
    assert inputs
    assert not faults, faults
    errors = {finding.code for finding in fleet_findings(inputs) if finding.severity is Severity.ERROR}
    assert errors <= {WAITING}, errors
    [where] = inputs.clusters
    return Emitted(tuple(emit(plan(inputs, where), EMITTERS)))


def release(output: Emitted, name: str) -> Body:
    """The values of a chart under Flux."""
    values: Body = output.one("HelmRelease", name)["spec"]["values"]
    return values


def template(output: Emitted) -> Body:
    """The pod spec in the only patch."""
    [patch] = output.patches().values()
    spec: Body = patch["spec"]["template"]["spec"]
    return spec


def faults(output: Emitted) -> list[Diagnostic]:
    """The findings about the objects."""
    given = [Given(m.body, SourceMap.of(m.origin.span), m.role is Role.PATCH) for m in output.manifests]
    return object_findings(given, "1.36", shared_norms())


def test_the_dra_driver_of_aks_takes_the_place_of_both_plugins() -> None:
    setup = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, stack={"allocation": "aks-dra"})
    one = {"min": 1, "max": 1}
    pools = [pool("h100", H100, driver="managed", nodes=one), pool("t4", nodes=one)]
    documents = [fleet(), setup, *pools, workload("train", ["h100"]), workload("chat", ["t4"])]
    output, made = emitted(*documents), plans(*documents)["one"]
    modes = {planned.name: planned.node_pool.gpu.get("nvidia") for planned in made.pools if planned.node_pool}
    assert modes == {"h100": {"managementMode": "Managed", "driverMode": "DRA"}, "t4": None}
    assert "dra-driver-nvidia-gpu" not in {m.ref.name for m in output.manifests}
    [plugin] = [body for body in output.every("DaemonSet") if body["metadata"]["name"] == "nvidia-device-plugin"]
    affinity = plugin["spec"]["template"]["spec"]["affinity"]
    assert output.selected(affinity) == ["t4"]
    assert [body["metadata"]["name"] for body in output.every("ResourceClaimTemplate")] == ["train-gpus-1"]


def test_the_driver_replaces_the_device_plugin() -> None:
    early = pool("h100", H100, startupTaints=[{"key": "w", "effect": "NoExecute"}])
    output = claimed(fleet(), cluster(**DRA), pool("t4"), early)
    assert not [body for body in output.every("DaemonSet") if "device-plugin" in body["metadata"]["name"]]
    values = release(output, "dra-driver-nvidia-gpu")
    assert values["nvidiaDriverRoot"] == "/"
    assert values["gpuResourcesEnabledOverride"] is True
    assert values["resources"] == {"gpus": {"enabled": True}, "computeDomains": {"enabled": False}}
    assert output.selected(values["kubeletPlugin"]["affinity"]) == ["h100", "t4"]
    assert values["kubeletPlugin"]["tolerations"] == [{"operator": "Exists"}]
    assert not faults(output)


def test_the_driver_root_is_that_of_the_operator_and_its_plugin_is_off() -> None:
    output = claimed(fleet(), cluster(kubernetesVersion="1.36", **DRA), pool("h100", H100, **OPERATED))
    values, operator = release(output, "dra-driver-nvidia-gpu"), release(output, "gpu-operator")
    assert values["nvidiaDriverRoot"] == "/run/nvidia/driver"
    assert operator["devicePlugin"] == {"enabled": False}
    [variable] = operator["driver"]["manager"]["env"]
    label = {variable["value"]: "true"}
    assert values["kubeletPlugin"]["nodeSelector"] == label
    assert label.items() <= output.one("NodePool", "h100")["spec"]["template"]["metadata"]["labels"].items()
    assert not faults(output)


def test_pools_with_other_software_are_excluded() -> None:
    output = claimed(fleet(), cluster(**DRA), pool("t4"), pool("managed", driver="managed"))
    assert output.selected(release(output, "dra-driver-nvidia-gpu")["kubeletPlugin"]["affinity"]) == ["t4"]
    alone = claimed(fleet(), cluster(**DRA), pool("managed", driver="managed"), workload("chat", ["managed"]))
    assert not alone.every("HelmRelease")
    assert template(alone)["containers"] == [{"name": "chat", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]


@pytest.mark.parametrize("gpus", [1, 2])
def test_a_workload_claims_its_gpus(gpus: int) -> None:
    output = claimed(fleet(), cluster(**DRA), pool("h100", TWO_H100), workload("chat", ["h100"], gpus=gpus))
    [made] = output.every("ResourceClaimTemplate")
    [request] = made["spec"]["spec"]["devices"]["requests"]
    assert (made["apiVersion"], made["metadata"]["namespace"]) == ("resource.k8s.io/v1", "serving")
    assert request["exactly"] == {"deviceClassName": "gpu.nvidia.com", "allocationMode": "ExactCount", "count": gpus}
    pod = template(output)
    assert pod["resourceClaims"] == [{"name": "gpus", "resourceClaimTemplateName": made["metadata"]["name"]}]
    assert pod["containers"] == [{"name": "chat", "resources": {"claims": [{"name": "gpus"}]}}]
    assert not faults(output)


def test_another_count_is_another_template() -> None:
    """A ResourceClaimTemplate is immutable."""
    one, two = (
        claimed(fleet(), cluster(**DRA), pool("h100", TWO_H100), workload("chat", ["h100"], gpus=gpus))
        for gpus in (1, 2)
    )
    names = {body["metadata"]["name"] for output in (one, two) for body in output.every("ResourceClaimTemplate")}
    assert len(names) == 2


def test_a_pool_with_claims_may_name_a_driver_branch() -> None:
    """The operator also evicts pods with claims, because its driver manager waits for the DRA plugin."""
    output = claimed(fleet(), cluster(**DRA), pool("h100", H100, **OPERATED, driverBranch="580"))
    [driver] = output.every("NVIDIADriver")
    label = {"name": "NODE_LABEL_FOR_GPU_POD_EVICTION", "value": "nvidia.com/dra-kubelet-plugin"}
    assert driver["spec"]["manager"]["env"] == [label]
    release = next(body for body in output.every("HelmRelease") if body["metadata"]["name"] == "gpu-operator")
    assert release["spec"]["values"]["driver"]["nvidiaDriverCRD"] == {"enabled": True}
    assert not faults(output)


@needs_crds
def test_a_compute_domain_makes_the_template_of_its_channel() -> None:
    gb300 = pool("gb300", GB300, **OPERATED)
    output = claimed(
        fleet(),
        cluster(kubernetesVersion="1.36", **DRA),
        gb300,
        workload("train", ["gb300"], gpus=4, computeDomain=True),
    )
    [domain] = output.every("ComputeDomain")
    channel = domain["spec"]["channel"]["resourceClaimTemplate"]["name"]
    assert domain["spec"]["numNodes"] == 0, "each node joins as its pod comes"
    assert (domain["metadata"]["name"], domain["metadata"]["namespace"]) == ("train", "serving")
    assert {"name": "channel", "resourceClaimTemplateName": channel} in template(output)["resourceClaims"]
    assert template(output)["containers"][0]["resources"]["claims"] == [{"name": "gpus"}, {"name": "channel"}]
    assert release(output, "dra-driver-nvidia-gpu")["resources"]["computeDomains"] == {"enabled": True}
    assert not upstream_faults(domain)
    assert {fault.code for fault in faults(output)} <= {"NPS016"}  # no GPU there for Karpenter: the fleet is warned


def test_without_allocation_there_are_no_claims() -> None:
    output = emitted(fleet(), cluster(), pool("t4"), workload("chat", ["t4"]))
    assert not output.every("ResourceClaimTemplate")
    assert "resourceClaims" not in template(output)


def test_pools_that_stream_say_so_and_the_registry_is_prepared() -> None:
    documents = (fleet(), cluster(kubernetesVersion="1.36"), pool("t4", image={"artifactStreaming": True}), pool("a"))
    output = emitted(*documents)
    assert output.one("AKSNodeClass", "t4")["spec"]["artifactStreaming"] == {"enabled": True}
    assert "artifactStreaming" not in output.one("AKSNodeClass", "a").get("spec", {})
    page = PAGE.write(plans(*documents)["one"])
    assert "nodes of t4." in page
    assert not PAGE.write(plans(fleet(), cluster(), pool("t4", image={"artifactStreaming": False}))["one"])
