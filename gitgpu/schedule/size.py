"""What Karpenter for Azure knows of a size: its labels, and why an AKSNodeClass leaves it out.

The labels follow pkg/providers/instancetype/instancetype.go (computeRequirements), the reasons instancetypes.go, of
Azure/karpenter-provider-azure. A label whose fact is unknown is left out: then nothing can be said against it.
"""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.model.sku import Sku
from gitgpu.schedule.requirement import Requirement, requirement

AZURE, AKS = "karpenter.azure.com/sku-", "kubernetes.azure.com/sku-"
GPU_NAME, GPU_COUNT, GPU_MAKER = f"{AZURE}gpu-name", f"{AZURE}gpu-count", f"{AZURE}gpu-manufacturer"
LOCAL_DISK = f"{AZURE}storage-ephemeralos-maxsize"
NAMES = ("node.kubernetes.io/instance-type", f"{AZURE}name")
# The labels that depend on the size alone. `compare` decides them size by size, all others pool by pool.
KEYS = frozenset(
    (
        *NAMES,
        "karpenter.sh/capacity-type",
        "kubernetes.io/arch",
        "kubernetes.io/os",
        *(f"{AKS}{part}" for part in ("cpu", "memory")),
        *(f"{AZURE}{part}" for part in ("family", "series", "version", "cpu", "memory")),
        GPU_COUNT,
        GPU_MAKER,
        GPU_NAME,
        LOCAL_DISK,
        *(f"{AZURE}{part}" for part in ("networking-accelerated", "storage-premium-capable")),
    )
)
# Names of the operating system in the rows of sizes; image families have their own spelling.
AZURE_LINUX = {"azurelinux", "azurelinux3"}


class Terms(NamedTuple):
    """What an AKSNodeClass asks of a size, in the words of its spec; the defaults are those of its CRD."""

    image_family: str = "Ubuntu"
    gpu_mode: str = "Driver"
    fips: bool = False
    artifact_streaming: bool = False
    encryption_at_host: bool = False
    local_dns: bool = False


def labels(sku: Sku) -> dict[str, Requirement]:
    """The labels of a node of this size that depend on the size alone, as requirements."""
    known = {key: requirement(key, "In", [str(value)]) for key, value in _texts(sku).items() if value is not None}
    absent = {  # without a family the name cannot be read, and no label is known
        GPU_NAME: sku.accelerator is None and sku.family is not None,
        LOCAL_DISK: sku.ephemeral_max_gb == 0,
    }
    known |= {key: requirement(key, "DoesNotExist") for key, is_so in absent.items() if is_so}
    if sku.spot is False:
        known["karpenter.sh/capacity-type"] = requirement("karpenter.sh/capacity-type", "In", ["on-demand"])
    return known


def left_out(sku: Sku, terms: Terms) -> str:
    """Why Karpenter would not use the size with such a node class; empty when nothing is known against it."""
    arm = sku.arch == "arm64"
    on_azure_linux = terms.image_family == "AzureLinux"
    small = sku.vcpus is not None and sku.vcpus < 4
    unencrypted = terms.encryption_at_host and sku.row["encryptionAtHost"] is False
    reasons = (
        (bool(sku.gone), f"Azure does not offer it ({sku.gone})"),
        (not sku.obtainable, sku.reason or "Karpenter leaves it out"),
        (sku.offer == "gpu-mode-none" and terms.gpu_mode != "None", "Karpenter takes it only with gpu.mode: None"),
        (on_azure_linux and bool(sku.os) and not AZURE_LINUX & set(sku.os), "its GPU software is for Ubuntu only"),
        (arm and terms.artifact_streaming, "artifact streaming needs amd64, and this size is arm64"),
        (arm and terms.fips and not on_azure_linux, "the FIPS images are amd64 only, and this size is arm64"),
        (unencrypted, "it has no encryption at host"),
        (small and terms.local_dns, "LocalDNS needs 4 vCPUs"),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _texts(sku: Sku) -> Mapping[str, object]:
    """The values of the labels; None where a fact is unknown or there is no such label."""
    # Upstream counts this label in MiB, unlike Azure, which gives GiB.
    memory = None if sku.memory_gib is None else int(sku.memory_gib * 1024)
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
        LOCAL_DISK: None if sku.ephemeral_max_gb is None else int(sku.ephemeral_max_gb),
    }


def _word(fact: bool | None) -> str | None:
    return None if fact is None else str(fact).lower()
