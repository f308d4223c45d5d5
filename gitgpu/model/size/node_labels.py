"""The labels of a node that depend only on its size, as Karpenter for Azure sets them.

They follow pkg/providers/instancetype/instancetype.go (computeRequirements) of Azure/karpenter-provider-azure. A label
whose value is unknown is omitted, so that no requirement on it fails.
"""

from collections.abc import Mapping

from gitgpu.model.names.labels import (
    ARCH_LABEL,
    CAPACITY_TYPE_LABEL,
    INSTANCE_TYPE_LABEL,
    OS_LABEL,
    SKU_CPU_LABEL,
    SKU_EPHEMERAL_OS_DISK_LABEL,
    SKU_FAMILY_LABEL,
    SKU_GPU_COUNT_LABEL,
    SKU_GPU_MANUFACTURER_LABEL,
    SKU_GPU_NAME_LABEL,
    SKU_MEMORY_LABEL,
    SKU_NAME_LABEL,
    SKU_NETWORKING_LABEL,
    SKU_PREMIUM_STORAGE_LABEL,
    SKU_SERIES_LABEL,
    SKU_VERSION_LABEL,
)
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, requirement

AKS = "kubernetes.azure.com/sku-"
GPU_NAME, GPU_COUNT, GPU_MAKER = SKU_GPU_NAME_LABEL, SKU_GPU_COUNT_LABEL, SKU_GPU_MANUFACTURER_LABEL
LOCAL_DISK = SKU_EPHEMERAL_OS_DISK_LABEL
NAMES = (INSTANCE_TYPE_LABEL, SKU_NAME_LABEL)
KEYS = frozenset(
    (
        *NAMES,
        CAPACITY_TYPE_LABEL,
        ARCH_LABEL,
        OS_LABEL,
        f"{AKS}cpu",
        f"{AKS}memory",
        SKU_FAMILY_LABEL,
        SKU_SERIES_LABEL,
        SKU_VERSION_LABEL,
        SKU_CPU_LABEL,
        SKU_MEMORY_LABEL,
        GPU_COUNT,
        GPU_MAKER,
        GPU_NAME,
        LOCAL_DISK,
        SKU_NETWORKING_LABEL,
        SKU_PREMIUM_STORAGE_LABEL,
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
        by_key[CAPACITY_TYPE_LABEL] = requirement(CAPACITY_TYPE_LABEL, "In", ["on-demand"])
    return by_key


def _texts(sku: Sku) -> Mapping[str, object]:
    """The values of the labels; None if a value is unknown, or if there is no such label."""
    memory = None if sku.memory_gib is None else int(sku.memory_gib * 1024)  # the label is in MiB
    local_disk = None if sku.ephemeral_max_gb is None else int(sku.ephemeral_max_gb)
    return {
        NAMES[0]: sku.name,
        NAMES[1]: sku.name,
        ARCH_LABEL: sku.arch,
        OS_LABEL: "linux",
        SKU_FAMILY_LABEL: sku.family or sku.name.removeprefix("Standard_")[:1],
        SKU_SERIES_LABEL: sku.series,
        SKU_VERSION_LABEL: sku.version,
        SKU_CPU_LABEL: sku.vcpus,
        f"{AKS}cpu": sku.vcpus,
        SKU_MEMORY_LABEL: memory,
        f"{AKS}memory": memory,
        GPU_COUNT: sku.counted_gpus,
        GPU_MAKER: sku.manufacturer if sku.gpu or sku.offer != "left-out" else None,
        GPU_NAME: sku.accelerator,
        SKU_NETWORKING_LABEL: _word(sku.accelerated_networking),
        SKU_PREMIUM_STORAGE_LABEL: _word(sku.row["premiumStorage"]),
        LOCAL_DISK: local_disk,
    }


def _word(fact: bool | None) -> str | None:
    return None if fact is None else str(fact).lower()
