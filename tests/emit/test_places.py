"""Where the spec of a pool decides on values of its objects: the place that a finding about these objects names."""

import json

from gitgpu.emit import emit
from gitgpu.emit.node.places import REQUIREMENTS, TEMPLATE
from gitgpu.source import Pointer
from tests.emit.fleets import EMITTERS, Body, cluster, fleet, plans, pool

POOL: Body = pool(
    "t4",
    taints=[{"key": "team", "effect": "NoSchedule"}],
    startupTaints=[{"key": "starts", "effect": "NoSchedule"}],
    disruption={"expireAfter": "24h", "terminationGracePeriod": "1h"},
    weight=7,
    capacity=["on-demand"],
    zones=["1"],
    image={"family": "Ubuntu2204", "osDiskGB": 256},
)
TEXT = json.dumps(POOL)


def test_values_of_a_pool_lead_to_the_keys_of_the_spec() -> None:
    manifests = emit(plans(fleet(), cluster(), POOL)["one"], EMITTERS)
    made = {manifest.body["kind"]: manifest for manifest in manifests}
    requirements = {
        entry["key"]: at for at, entry in enumerate(made["NodePool"].body["spec"]["template"]["spec"]["requirements"])
    }
    wanted: list[tuple[str, Pointer, str]] = [
        ("NodePool", (*TEMPLATE, "taints"), "taints"),
        ("NodePool", (*TEMPLATE, "startupTaints"), "startupTaints"),
        ("NodePool", (*TEMPLATE, "expireAfter"), "expireAfter"),
        ("NodePool", (*TEMPLATE, "terminationGracePeriod"), "terminationGracePeriod"),
        ("NodePool", ("spec", "weight"), "weight"),
        ("NodePool", ("spec", "limits", "nvidia.com/gpu"), "gpus"),
        ("NodePool", ("spec", "disruption", "consolidateAfter"), "disruption"),
        ("NodePool", (*REQUIREMENTS, requirements["karpenter.sh/capacity-type"]), "capacity"),
        ("NodePool", (*REQUIREMENTS, requirements["topology.kubernetes.io/zone"]), "zones"),
        ("NodePool", (*REQUIREMENTS, requirements["karpenter.azure.com/sku-name"]), "sku"),
        ("AKSNodeClass", ("spec", "imageFamily"), "family"),
        ("AKSNodeClass", ("spec", "osDiskSizeGB"), "osDiskGB"),
    ]
    found = []
    for kind, pointer, _ in wanted:
        span = made[kind].places.span(pointer, key=True)  # type: ignore[union-attr]
        found.append((kind, pointer, TEXT[span.column - 1 :].split('"')[1]))
    assert found == wanted
