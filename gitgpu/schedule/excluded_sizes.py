"""Why an AKSNodeClass leaves a size out, as pkg/providers/instancetype/instancetypes.go of Azure's Karpenter does."""

from typing import NamedTuple

from gitgpu.model.sku import Sku

# Names of the operating system in the rows of sizes; image families have their own spelling.
AZURE_LINUX = {"azurelinux", "azurelinux3"}


class Terms(NamedTuple):
    """The fields of an AKSNodeClass that exclude sizes; the defaults are from its CRD.

    `fips_for` are the architectures of its FIPS image; empty without FIPS, or if they are not known.
    """

    image_family: str = "Ubuntu"
    gpu_mode: str = "Driver"
    fips: bool = False
    fips_for: tuple[str, ...] = ()
    artifact_streaming: bool = False
    encryption_at_host: bool = False
    local_dns: bool = False


def why_left_out(sku: Sku, terms: Terms) -> str:
    """Why Karpenter would not use the size with such a node class; "" if nothing is known against it."""
    arm = sku.arch == "arm64"
    on_azure_linux = terms.image_family == "AzureLinux"
    fips_for = ", ".join(terms.fips_for)
    small = sku.vcpus is not None and sku.vcpus < 4
    unencrypted = terms.encryption_at_host and sku.row["encryptionAtHost"] is False
    reasons = (
        (bool(sku.why_gone), f"Azure does not offer it ({sku.why_gone})"),
        (not sku.obtainable, sku.reason or "Karpenter excludes it"),
        (sku.offer == "gpu-mode-none" and terms.gpu_mode != "None", "Karpenter requires gpu.mode: None"),
        (on_azure_linux and bool(sku.os) and not AZURE_LINUX & set(sku.os), "its GPU software is for Ubuntu only"),
        (arm and terms.artifact_streaming, "artifact streaming needs amd64, and this size is arm64"),
        (
            bool(fips_for) and sku.arch is not None and sku.arch not in terms.fips_for,
            f"the FIPS image of {terms.image_family} is for {fips_for} only, and this size is {sku.arch}",
        ),
        (unencrypted, "it has no encryption at host"),
        (small and terms.local_dns, "LocalDNS needs 4 vCPUs"),
    )
    return next((reason for holds, reason in reasons if holds), "")
