"""The labels of a node that depend only on its size, as Karpenter for Azure sets them.

They follow pkg/providers/instancetype/instancetype.go (computeRequirements) of Azure/karpenter-provider-azure. A label
whose value is unknown is omitted, so that no requirement on it fails.
"""

from collections.abc import Mapping

from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, requirement

AZURE, AKS = "karpenter.azure.com/sku-", "kubernetes.azure.com/sku-"
GPU_NAME, GPU_COUNT, GPU_MAKER = f"{AZURE}gpu-name", f"{AZURE}gpu-count", f"{AZURE}gpu-manufacturer"
LOCAL_DISK = f"{AZURE}storage-ephemeralos-maxsize"
NAMES = ("node.kubernetes.io/instance-type", f"{AZURE}name")
KEYS = frozenset(
    (
        *NAMES,
        "karpenter.sh/capacity-type",
        "kubernetes.io/arch",
        "kubernetes.io/os",
        f"{AKS}cpu",
        f"{AKS}memory",
        f"{AZURE}family",
        f"{AZURE}series",
        f"{AZURE}version",
        f"{AZURE}cpu",
        f"{AZURE}memory",
        GPU_COUNT,
        GPU_MAKER,
        GPU_NAME,
        LOCAL_DISK,
        f"{AZURE}networking-accelerated",
        f"{AZURE}storage-premium-capable",
    )
)


def labels(sku: Sku) -> dict[str, Requirement]:
    """The labels of a node of this size that depend only on the size, as requirements."""
    by_key = {key: requirement(key, "In", [str(value)]) for key, value in _texts(sku).items() if value is not None}
    absent = {  # without a family the name cannot be read, and no label is known
        GPU_NAME: sku.accelerator is None and sku.family is not None,
        LOCAL_DISK: sku.ephemeral_max_gb == 0,
    }
    by_key |= {key: requirement(key, "DoesNotExist") for key, is_so in absent.items() if is_so}
    if sku.spot is False:
        by_key["karpenter.sh/capacity-type"] = requirement("karpenter.sh/capacity-type", "In", ["on-demand"])
    return by_key


def _texts(sku: Sku) -> Mapping[str, object]:
    """The values of the labels; None if a value is unknown, or if there is no such label."""
    memory = None if sku.memory_gib is None else int(sku.memory_gib * 1024)  # the label is in MiB
    local_disk = None if sku.ephemeral_max_gb is None else int(sku.ephemeral_max_gb)
    return {
        NAMES[0]: sku.name,
        NAMES[1]: sku.name,
        "kubernetes.io/arch": sku.arch,
        "kubernetes.io/os": "linux",
        f"{AZURE}family": sku.family or sku.name.removeprefix("Standard_")[:1],
        f"{AZURE}series": sku.series,
        f"{AZURE}version": sku.version,
        f"{AZURE}cpu": sku.vcpus,
        f"{AKS}cpu": sku.vcpus,
        f"{AZURE}memory": memory,
        f"{AKS}memory": memory,
        GPU_COUNT: sku.counted_gpus,
        GPU_MAKER: sku.manufacturer if sku.gpu or sku.offer != "left-out" else None,
        GPU_NAME: sku.accelerator,
        f"{AZURE}networking-accelerated": _word(sku.accelerated_networking),
        f"{AZURE}storage-premium-capable": _word(sku.row["premiumStorage"]),
        LOCAL_DISK: local_disk,
    }


def _word(fact: bool | None) -> str | None:
    return None if fact is None else str(fact).lower()
