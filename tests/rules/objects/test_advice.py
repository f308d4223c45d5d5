"""Remedies of object rules: following them literally leads neither to another error nor to a false alarm."""

import pytest

from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each
from tests.rules.fleet.examples import RULES, findings
from tests.rules.objects.samples import conformed

BY_CODE = {rule.code: rule for rule in object_rules()}
LABELS = "spec.template.metadata.labels of a NodePool"
POOL_OF = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: general}}
spec:
  template:
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: general}}
      requirements: [{{key: kubernetes.azure.com/os-sku, operator: In, values: [{system}]}}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {{name: general}}
spec: {{imageFamily: {family}}}
"""


@for_each(
    ("family", "system", "expected"),
    [
        ("Ubuntu2204", "Ubuntu", []),
        ("Ubuntu2404", "Ubuntu", []),
        ("Ubuntu", "Ubuntu", []),
        ("AzureLinux", "AzureLinux", []),
        ("Ubuntu2204", "AzureLinux", ["require Ubuntu, or use another AKSNodeClass"]),
        ("AzureLinux", "Ubuntu", ["require AzureLinux, or use another AKSNodeClass"]),
    ],
)
def test_the_label_of_every_ubuntu_release_is_ubuntu(family: str, system: str, expected: list[str]) -> None:
    assert [diagnostic.help for diagnostic in conformed(POOL_OF.format(family=family, system=system))] == expected


@pytest.mark.parametrize(
    ("key", "remedy"),
    [
        ("accelerator", "select nodes by karpenter.azure.com/sku-gpu-manufacturer"),
        ("kubernetes.azure.com/accelerator", "select nodes by karpenter.azure.com/sku-gpu-manufacturer"),
        (
            "nvidia.com/gpu.product",
            f"select nodes by karpenter.azure.com/sku-gpu-name, or set nvidia.com/gpu.product in {LABELS}",
        ),
    ],
)
def test_no_remedy_suggests_a_label_that_a_node_pool_cannot_set(key: str, remedy: str) -> None:
    text = BY_CODE["POD002"].bad.replace("nvidia.com/gpu.product: ", f"{key}: ")
    assert [finding.help for finding in conformed(text) if finding.code == "POD002"] == [remedy]


@for_each(
    ("name", "remedy"),
    [
        ("gpus.nvidia.com", "use gpu.nvidia.com"),
        ("migs.nvidia.com", "use mig.nvidia.com"),
        ("imex-channel.nvidia.com", "remove the claim, and use"),
        ("nvlink.nvidia.com", "use one of "),
    ],
)
def test_the_remedy_names_the_device_class_that_is_meant(name: str, remedy: str) -> None:
    text = BY_CODE["RSC004"].bad.replace("gpus.nvidia.com", name)
    (finding,) = [finding for finding in conformed(text) if finding.code == "RSC004"]
    assert finding.help.startswith(remedy)


def test_the_remedy_names_a_driver_that_supports_the_gpu() -> None:
    (finding,) = [finding for finding in conformed(BY_CODE["STK011"].bad) if finding.code == "STK011"]
    assert finding.help == 'set driver: {version: "580.173.02"}'


def test_nvidia_gpus_without_profiling_still_have_other_fields() -> None:
    text = BY_CODE["MON009"].bad.replace("Standard_ND96isr_MI300X_v5", "Standard_NV6")  # an M60
    (finding,) = [finding for finding in conformed(text) if finding.code == "MON009"]
    assert finding.help == "use a DCGM_FI_DEV_ field, such as DCGM_FI_DEV_GPU_UTIL"


def test_a_gpu_that_no_driver_of_the_release_supports_needs_another_size() -> None:
    text = BY_CODE["STK011"].bad.replace("Standard_ND40rs_v2", "Standard_NC6")  # a K80
    (finding,) = [finding for finding in conformed(text) if finding.code == "STK011"]
    assert finding.help == "choose sizes with newer GPUs"


def test_the_remedy_for_an_unabbreviated_dcgm_field_is_its_short_form() -> None:
    unknown_counter = next(rule.bad for rule in RULES if rule.code == "MET001")
    text = unknown_counter.replace("DCGM_FI_DEV_SM_UTIL", "DCGM_FI_DEV_GPU_UTILIZATION").replace(
        "[DCGM_FI_DEV_GPU_UTIL, ", "["
    )
    assert [finding.help for finding in findings(text)] == ["did you mean DCGM_FI_DEV_GPU_UTIL?"]
    rule = BY_CODE["MON001"].bad.replace("DCGM_FI_DEV_SM_UTIL", "DCGM_FI_DEV_GPU_UTILIZATION")
    assert "did you mean DCGM_FI_DEV_GPU_UTIL?" in [diagnostic.help for diagnostic in conformed(rule)]
