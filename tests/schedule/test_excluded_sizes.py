"""The labels of a node by size, as Karpenter for Azure derives them (computeRequirements in instancetype.go)."""

import pytest

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.node_labels import GPU_NAME, LOCAL_DISK, labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import meets, requirement
from gitgpu.schedule.excluded_sizes import Terms, why_left_out
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())
NAMELESS = {  # offered, with a name in which the size parser of Karpenter 1.14 finds no GPU
    "Standard_ND40rs_v2",
    "Standard_ND40s_v3",
    "Standard_ND96asr_v4",
    "Standard_ND96is_MI300X_v5",
    "Standard_ND96isr_MI300X_v5",
}


def size(name: str) -> Sku:
    sku = CATALOG.sku(name)
    assert sku
    return sku


def test_sizes_without_a_gpu_in_their_name_have_no_gpu_name() -> None:
    offered = [sku for sku in CATALOG.skus if sku.obtainable]
    assert {sku.name for sku in offered if labels(sku)[GPU_NAME].operator == "DoesNotExist"} == NAMELESS
    assert {sku.name for sku in offered if sku.accelerator is None} == NAMELESS


@for_each("name", sorted(NAMELESS))
def test_a_size_without_a_gpu_name_meets_no_requirement_for_one(name: str) -> None:
    own = labels(size(name))[GPU_NAME]
    assert not meets(own, requirement(GPU_NAME, "In", ["V100", "A100", "MI300X"]))
    assert not meets(own, requirement(GPU_NAME, "Exists"))
    assert meets(own, requirement(GPU_NAME, "NotIn", ["T4"]))


def test_a_size_without_a_local_disk_has_no_label_of_its_size() -> None:
    assert labels(size("Standard_NV6"))[LOCAL_DISK].operator == "DoesNotExist"
    assert labels(size("Standard_NC24ads_A100_v4"))[LOCAL_DISK].operator == "In"


@pytest.mark.parametrize("name", ["Standard_ND128isr_NDR_GB200_v6", "Standard_ND96is_flex_H100_v5"])
def test_a_size_whose_name_karpenter_cannot_read_is_left_out(name: str) -> None:
    assert not size(name).obtainable
    assert "cannot read the name" in why_left_out(size(name), Terms(gpu_mode="None"))


def test_a_size_counts_the_gpus_that_azure_reports() -> None:
    counted = {sku.name: sku.counted_gpus for sku in CATALOG.skus if sku.series and "V710" in sku.name}
    assert set(counted.values()) == {0}


AZURE, AKS = "karpenter.azure.com/sku-", "kubernetes.azure.com/sku-"


def test_the_labels_of_a_size() -> None:
    """Every label that Karpenter derives from the size alone, as it writes it."""
    assert {key: (term.operator, *term.values) for key, term in labels(size("Standard_NC24ads_A100_v4")).items()} == {
        "node.kubernetes.io/instance-type": ("In", "Standard_NC24ads_A100_v4"),
        f"{AZURE}name": ("In", "Standard_NC24ads_A100_v4"),
        "kubernetes.io/arch": ("In", "amd64"),
        "kubernetes.io/os": ("In", "linux"),
        f"{AZURE}family": ("In", "N"),
        f"{AZURE}series": ("In", "NCads_v4"),
        f"{AZURE}version": ("In", "4"),
        f"{AZURE}cpu": ("In", "24"),
        f"{AKS}cpu": ("In", "24"),
        f"{AZURE}memory": ("In", "225280"),
        f"{AKS}memory": ("In", "225280"),
        f"{AZURE}gpu-count": ("In", "1"),
        f"{AZURE}gpu-manufacturer": ("In", "nvidia"),
        f"{AZURE}gpu-name": ("In", "A100"),
        f"{AZURE}networking-accelerated": ("In", "true"),
        f"{AZURE}storage-premium-capable": ("In", "true"),
        f"{AZURE}storage-ephemeralos-maxsize": ("In", "274"),
    }


def test_what_is_not_known_of_a_size_is_not_a_label() -> None:
    known = size("Standard_NC24ads_A100_v4")
    row = {**known.row, "premiumStorage": None}
    unknown = known._replace(
        row=row, family=None, vcpus=None, memory_gib=None, accelerator=None, accelerated_networking=None,
        ephemeral_max_gb=None,
    )  # fmt: skip
    parts = ("cpu", "memory", "gpu-name", "networking-accelerated", "storage-premium-capable")
    gone = {*(f"{AZURE}{part}" for part in parts), f"{AKS}cpu", f"{AKS}memory", LOCAL_DISK}
    assert labels(known).keys() - labels(unknown).keys() == gone
    assert labels(unknown)[f"{AZURE}family"].values == {"N"}


def test_a_size_that_is_not_sold_as_spot_is_on_demand() -> None:
    known = size("Standard_NC24ads_A100_v4")
    only = known._replace(row={**known.row, "spot": False})
    assert labels(only)["karpenter.sh/capacity-type"] == requirement("karpenter.sh/capacity-type", "In", ["on-demand"])
    assert "karpenter.sh/capacity-type" not in labels(known._replace(row={**known.row, "spot": None}))


def test_a_size_that_karpenter_leaves_out_and_whose_gpu_is_not_known_has_no_manufacturer() -> None:
    left = size("Standard_NC16lds_xl_RTXPRO6000BSE_v6")
    maker = f"{AZURE}gpu-manufacturer"
    assert (left.gpu, left.offer, maker in labels(left)) == (None, "left-out", False)
    assert maker in labels(left._replace(offer="offered"))


def without_encryption(name: str) -> Sku:
    """A size without encryption at host."""
    sku = size(name)
    return sku._replace(row={**sku.row, "encryptionAtHost": False})


ARM = size("Standard_ND128isr_GB300_v6")
T4 = size("Standard_NC4as_T4_v3")
LINUX = {"AzureLinux": T4._replace(os=("ubuntu",)), "both": T4._replace(os=("ubuntu", "azurelinux3"))}
LEFT_OUT = {
    "retired": (size("Standard_NC12"), Terms(), "Azure does not offer it"),
    "no reason": (T4._replace(offer="left-out", reason=None), Terms(), "Karpenter excludes it"),
    "AMD with the driver": (size("Standard_NV12ads_V710_v5"), Terms(), "gpu.mode: None"),
    "AMD without": (size("Standard_NV12ads_V710_v5"), Terms(gpu_mode="None"), ""),
    "NVIDIA without": (T4, Terms(gpu_mode="None"), ""),
    "AzureLinux": (LINUX["AzureLinux"], Terms("AzureLinux"), "for Ubuntu only"),
    "AzureLinux where it is there": (LINUX["both"], Terms("AzureLinux"), ""),
    "AzureLinux where nothing is known": (T4._replace(os=()), Terms("AzureLinux"), ""),
    "Ubuntu": (LINUX["AzureLinux"], Terms("Ubuntu2204"), ""),
    "arm64": (ARM, Terms(), ""),
    "arm64 with streaming": (ARM, Terms(artifact_streaming=True), "artifact streaming needs amd64"),
    "amd64 with streaming": (T4, Terms(artifact_streaming=True), ""),
    "arm64 with FIPS": (ARM, Terms(fips=True, fips_for=("amd64",)), "the FIPS image of Ubuntu is for amd64 only"),
    "arm64 with FIPS for it": (ARM._replace(os=()), Terms("AzureLinux", fips=True, fips_for=("amd64", "arm64")), ""),
    "arm64 with FIPS that is not known": (ARM, Terms(fips=True), ""),
    "an unknown architecture with FIPS": (ARM._replace(arch=None), Terms(fips=True, fips_for=("amd64",)), ""),
    "amd64 with FIPS": (T4, Terms(fips=True, fips_for=("amd64",)), ""),
    "encryption": (without_encryption(T4.name), Terms(encryption_at_host=True), "no encryption at host"),
    "no encryption asked for": (without_encryption(T4.name), Terms(), ""),
    "unknown encryption": (
        T4._replace(row={**T4.row, "encryptionAtHost": None}),
        Terms(encryption_at_host=True),
        "",
    ),
    "LocalDNS": (T4._replace(vcpus=3), Terms(local_dns=True), "LocalDNS needs 4 vCPUs"),
    "LocalDNS on enough": (T4._replace(vcpus=4), Terms(local_dns=True), ""),
    "LocalDNS where nothing is known": (T4._replace(vcpus=None), Terms(local_dns=True), ""),
    "few vCPUs": (T4._replace(vcpus=2), Terms(), ""),
}


@for_each("name", LEFT_OUT)
def test_why_a_size_is_left_out(name: str) -> None:
    sku, terms, reason = LEFT_OUT[name]
    why = why_left_out(sku, terms)
    assert reason in why
    assert bool(why) == bool(reason)
