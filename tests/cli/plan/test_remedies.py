"""If a default that gitgpu adds replaces running nodes, `plan` names the spec key that prevents it."""

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, write

NONE, FIPS = "{nodePool: {startupTaints: []}}", "{nodeClass: {fipsMode: Disabled}}"
GPU, NAME = "{nodeClass: {gpu: {mode: Driver}}}", "{nvidia.com/device-plugin.config: shared}"
SPOT, SHARED = "capacity: [spot]", "partition: {timeSlicing: {replicas: 2}}"


def with_spec(more: str) -> str:
    """The fleet with further fields in the spec of its pool."""
    return SOUND.replace("limits: {gpus: 2}", f"limits: {{gpus: 2}}, {more}")


@pytest.mark.parametrize(
    ("common", "before", "after", "remedy"),
    [
        ("weight: 1", "operatorOptOut: false", "", "operatorOptOut: false omits the label"),
        ("weight: 1", "", "operatorOptOut: false", "operatorOptOut: true keeps the label"),
        ("weight: 1", "nodeClass: {name: gpu}", "", "nodeClass: {name: gpu} keeps the AKSNodeClass"),
        ("weight: 1", "", "nodeClass: {name: gpu}", "nodeClass: {name: t4} keeps the AKSNodeClass"),
        ("weight: 1", "taints: []", "", "taints: [] omits the taint"),
        (SPOT, "spotTaint: false", "", "spotTaint: false omits the taint"),
        ("weight: 1", f"explicitDefaults: {NONE}", "", f"explicitDefaults: {NONE} keeps the empty startupTaints"),
        ("weight: 1", f"explicitDefaults: {FIPS}", "", f"explicitDefaults: {FIPS} keeps fipsMode"),
        ("weight: 1", f"explicitDefaults: {GPU}", "", f"explicitDefaults: {GPU} keeps gpu.mode"),
        ("weight: 1", "kubelet: {cpuCFSQuota: true}", "", "kubelet: {cpuCFSQuota: true} keeps kubelet.cpuCFSQuota"),
        (SHARED, f"labels: {NAME}", "", f"labels: {NAME} keeps the name"),
    ],
)
def test_the_plan_says_how_to_keep_the_nodes(run: Run, common: str, before: str, after: str, remedy: str) -> None:
    write(with_spec(f"{common}, {before}".rstrip(" ,")))
    assert run("build").code == 0
    write(with_spec(f"{common}, {after}".rstrip(" ,")))
    text = " ".join(run("plan").out.split())
    assert "all nodes are replaced" in text
    assert remedy in text
    setting = remedy.partition(" keeps")[0].partition(" omits")[0]
    write(with_spec(f"{common}, {setting}"))
    assert "all nodes are replaced" not in run("plan").out


def test_the_plan_says_how_to_add_no_requirement(run: Run) -> None:
    exact = "nodeRequirements: [{key: karpenter.azure.com/sku-gpu-name, operator: In, values: [T4]}]"
    write(SOUND.replace("sku: Standard_NC16as_T4_v3", exact))
    assert run("build").code == 0
    write(SOUND)
    text = " ".join(run("plan").out.split())
    wanted = "karpenter.azure.com/sku-name and karpenter.sh/capacity-type"
    assert f"nodeRequirements without sku and requirements does not add a requirement on {wanted}" in text


def test_the_plan_says_how_to_keep_the_subnet(run: Run) -> None:
    subnet = "/subscriptions/0/resourceGroups/a/providers/Microsoft.Network/virtualNetworks/b/subnets/"
    write(with_spec(f"subnet: {subnet}one"))
    assert run("build").code == 0
    write(with_spec(f"subnet: {subnet}two"))
    assert f"subnet: {subnet}one keeps the subnet" in " ".join(run("plan").out.split())
