"""The Network Operator and the images of its NicClusterPolicy must be from one release."""

from tests.helping.cases import for_each
from tests.rules.fleet.examples import findings

TEXT = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {driver: operator, versions: {VERSIONS}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec: {clusters: [prod-swc], sku: Standard_ND96isr_H100_v5, limits: {gpus: 8}, rdma: sriov}
"""
RELEASE = (
    'network-operator: "26.1.2", doca-driver: doca3.3.0-26.01-1.0.0.0-0, sriov-device-plugin: network-operator-v26.1.2'
)
OLD = "doca3.2.0-25.10-1.2.8.0-2"


@for_each(
    ("versions", "untested"),
    [
        ('network-operator: "26.1.2"', ["doca-driver", "sriov-device-plugin"]),
        (RELEASE, []),
        ("sriov-device-plugin: network-operator-v25.10.0", ["network-operator"]),
        ('network-operator: "26.4.0"', []),
        (f"doca-driver: {OLD}", []),  # Microsoft's instructions combine it with 26.4.0
    ],
)
def test_images_of_another_release_are_untested(versions: str, untested: list[str]) -> None:
    messages = [each.message for each in findings(TEXT.replace("VERSIONS", versions)) if each.code == "VER004"]
    assert [message.split(" is not tested with ")[1].split(" on ")[0] for message in sorted(messages)] == untested
