"""The findings about NodePools compared with the sizes in the catalog and with their AKSNodeClass."""

import json
from dataclasses import replace
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.objects.node.node_pools import terms
from gitgpu.objects.objects import Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.rules.norms import norms
from gitgpu.rules.object_findings import object_findings
from gitgpu.schedule.excluded_sizes import Terms
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, shared_norms, somewhere
from tests.rules.objects.test_node_classes import dns

NAME, COUNT, GPU = (
    "karpenter.azure.com/sku-name",
    "karpenter.azure.com/sku-gpu-count",
    "karpenter.azure.com/sku-gpu-name",
)
MAKER, CPU = "karpenter.azure.com/sku-gpu-manufacturer", "karpenter.azure.com/sku-cpu"
ZONE, FAMILY = "topology.kubernetes.io/zone", "karpenter.azure.com/sku-family"
TYPE, OLD_TYPE = "node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"
T4, A100, V100, MI300X = (
    "Standard_NC4as_T4_v3",
    "Standard_NC24ads_A100_v4",
    "Standard_NC6s_v3",
    "Standard_ND96isr_MI300X_v5",
)
GB300, RTX, A10 = "Standard_ND128isr_GB300_v6", "Standard_NC144ds_xl_RTXPRO6000BSE_v6", "Standard_NV6ads_A10_v5"


def wants(key: str, *values: str, operator: str = "In", **more: Any) -> dict[str, Any]:
    """A requirement."""
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {}), **more}


def pool(*requirements: dict[str, Any], owner: str = "default", name: str = "gpu", **spec: Any) -> dict[str, Any]:
    """A NodePool."""
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": owner}
    template = {"spec": {"nodeClassRef": reference, "requirements": list(requirements)}}
    metadata = {"name": name}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": metadata,
        "spec": {"template": template} | spec,
    }


def node_class(**spec: Any) -> dict[str, Any]:
    """An AKSNodeClass called own."""
    return {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "own"},
        "spec": spec,
    }


@for_each(
    ("spec", "asked"),
    [
        ({}, Terms()),
        ({"imageFamily": "AzureLinux"}, Terms(image_family="AzureLinux")),
        ({"gpu": {"mode": "None"}}, Terms(gpu_mode="None")),
        ({"fipsMode": "FIPS"}, Terms(fips=True, fips_for=("amd64",))),
        ({"fipsMode": "FIPS", "imageFamily": "Ubuntu2404"}, Terms("Ubuntu2404", fips=True)),
        ({"fipsMode": "Disabled"}, Terms()),
        ({"artifactStreaming": {"enabled": True}}, Terms(artifact_streaming=True)),
        ({"artifactStreaming": {"enabled": False}}, Terms()),
        ({"security": {"encryptionAtHost": True}}, Terms(encryption_at_host=True)),
        ({"localDNS": {"mode": "Required"}}, Terms(local_dns=True)),
        ({"localDNS": {"mode": "Preferred"}}, Terms()),
    ],
)
def test_what_a_node_class_requires_of_sizes(spec: dict[str, Any], asked: Terms) -> None:
    body = node_class(**spec)
    assert terms(Item(somewhere(body)[0], identity(body), Scope.CLUSTER), shared_norms().catalog) == asked


def diagnostics(*bodies: dict[str, Any], closed: bool = True, today: str = "") -> list[Diagnostic]:
    """The findings of this family of rules."""
    faults = object_findings(somewhere(*bodies), KUBERNETES, replace(shared_norms(), today=today), closed=closed)
    return [fault for fault in faults if fault.code.startswith("NPS")]


FIRST = "/spec/template/spec/requirements/0"
CASES: dict[str, tuple[list[dict[str, Any]], list[tuple[str, str]]]] = {
    "a size of CPUs": ([pool(wants(NAME, "Standard_D4s_v5"))], []),
    "an FPGA": ([pool(wants(NAME, "Standard_NP10s"))], [("NPS005", f"{FIRST}/values/0")]),
    "a size that is excluded": (
        [pool(wants(NAME, V100, operator="NotIn"), wants(CPU, "80", operator="Gt"), wants(COUNT, "0", operator="Gt"))],
        [],
    ),
    "a name in capitals": ([pool(wants(TYPE, "STANDARD_NC4AS_T4_V3"))], [("NPS001", f"{FIRST}/values/0")]),
    "a name without Standard": ([pool(wants(OLD_TYPE, T4, "NC24ads_A100_v4"))], [("NPS001", f"{FIRST}/values/1")]),
    "an excluded name in capitals": (
        [pool(wants(NAME, V100.upper(), operator="NotIn"))],
        [("NPS001", f"{FIRST}/values/0")],
    ),
    "an unknown name": ([pool(wants(NAME, "Standard_NC24ads_A100v4"))], [("NPS002", f"{FIRST}/values/0")]),
    "a retired size and another": ([pool(wants(NAME, T4, V100))], [("NPS003", f"{FIRST}/values/1")]),
    "a series as a size": ([pool(wants(NAME, "Standard_NCads_A100_v4"))], [("NPS004", f"{FIRST}/values/0")]),
    "a confidential CPU size": ([pool(wants(NAME, "Standard_DC4as_v5"))], [("NPS005", f"{FIRST}/values/0")]),
    "a constrained CPU size": ([pool(wants(NAME, "Standard_E4-2s_v5"))], [("NPS005", f"{FIRST}/values/0")]),
    "a restricted CPU size": ([pool(wants(NAME, "Standard_B1s"))], [("NPS005", f"{FIRST}/values/0")]),
    "a size that looks restricted": ([pool(wants(NAME, "Standard_B2s", "Standard_D2s_v5"))], []),
    "AMD with the driver": (
        [pool(wants(NAME, MI300X), owner="own"), node_class()],
        [("NPS006", f"{FIRST}/values/0")],
    ),
    "AMD by maker": (
        [pool(wants(MAKER, "amd"), owner="own"), node_class(gpu={"mode": "Driver"})],
        [("NPS006", f"{FIRST}/values/0")],
    ),
    "AMD without the driver": ([pool(wants(NAME, MI300X), owner="own"), node_class(gpu={"mode": "None"})], []),
    "AMD with a class that is elsewhere": ([pool(wants(NAME, MI300X), owner="else")], []),
    "arm64 and streaming": (
        [pool(wants(NAME, GB300), owner="own"), node_class(artifactStreaming={"enabled": True})],
        [("NPS006", f"{FIRST}/values/0"), ("NPS016", f"{FIRST}/values/0")],
    ),
    "arm64 and FIPS": (
        [pool(wants(NAME, GB300), owner="own"), node_class(fipsMode="FIPS", imageFamily="Ubuntu")],
        [("NPS006", f"{FIRST}/values/0"), ("NPS016", f"{FIRST}/values/0")],
    ),
    "no image": (
        [pool(wants(NAME, RTX), owner="own"), node_class(imageFamily="AzureLinux")],
        [("NPS006", f"{FIRST}/values/0")],
    ),
    "an image": ([pool(wants(NAME, T4), owner="own"), node_class(imageFamily="AzureLinux")], []),
    "a count that no size has": ([pool(wants(COUNT, "3"))], [("NPS007", f"{FIRST}/values/0")]),
    "a count of CPU sizes": ([pool(wants(COUNT, "0"), wants(FAMILY, "D"))], []),
    "an FPGA family": ([pool(wants(FAMILY, "N"), wants("karpenter.azure.com/sku-series", "NPs"))], []),
    "any GPU": ([pool(wants(COUNT, "0", operator="Gt"), wants(CPU, "80", operator="Gt"))], []),
    "the other architecture": (
        [pool(wants("kubernetes.io/arch", "arm64"), wants(NAME, T4))],
        [("NPS007", f"{FIRST}/values/0")],
    ),
    "only retired sizes": (
        [pool(wants(MAKER, "nvidia"), wants("karpenter.azure.com/sku-series", "NCs_v3"))],
        [("NPS007", "/spec/template/spec/requirements/1/values/0")],
    ),
    "a GPU in lowercase": ([pool(wants(GPU, "a100"))], [("NPS008", f"{FIRST}/values/0")]),
    "a GPU as NVIDIA calls it": ([pool(wants(GPU, "Tesla-T4"))], [("NPS008", f"{FIRST}/values/0")]),
    "a GPU that no size name shows": ([pool(wants(GPU, "V100"))], [("NPS009", f"{FIRST}/values/0")]),
    "an unknown GPU": ([pool(wants(GPU, "B300"))], [("NPS009", f"{FIRST}/values/0")]),
    "a size whose name shows no GPU": (
        [pool(wants(GPU, "A100"), wants(NAME, "Standard_ND96asr_v4"))],
        [("NPS009", f"{FIRST}/values/0")],
    ),
    "a GPU that Karpenter does not read": ([pool(wants(GPU, "MI300X"))], [("NPS009", f"{FIRST}/values/0")]),
    "some sizes whose names tell no GPU": (
        [pool(wants(GPU, "A100"), wants(NAME, "Standard_ND96asr_v4", A100))],
        [("NPS009", f"{FIRST}/values/0")],
    ),
    "sizes whose names tell no GPU, and none asked for": (
        [pool(wants(GPU, "H100", operator="NotIn"), wants(NAME, "Standard_ND96asr_v4"))],
        [],
    ),
    "a size that the parser cannot read": (
        [pool(wants(NAME, "Standard_ND128isr_NDR_GB200_v6"))],
        [("NPS005", f"{FIRST}/values/0")],
    ),
    "GPUs of two makers by a name that one has": (
        [
            pool(
                wants(GPU, "H200", "MI300X"),
                wants(NAME, "Standard_ND96isr_H200_v5", MI300X),
                owner="own",
            ),
            node_class(gpu={"mode": "None"}),
        ],
        [("NPS009", FIRST), ("NPS009", f"{FIRST}/values/1")],
    ),
    "a zone without the size": (
        [pool(wants(ZONE, "southcentralus-2"), wants(NAME, A100))],
        [("NPS010", f"{FIRST}/values/0")],
    ),
    "one zone of two": ([pool(wants(ZONE, "southcentralus-1", "southcentralus-2"), wants(NAME, A100))], []),
    "a zone or none": ([pool(wants(ZONE, "southcentralus-2", "0"), wants(NAME, A100))], []),
    "an unknown zone": ([pool(wants(ZONE, "eastus-2"), wants(NAME, A100))], []),
    "a large disk": (
        [pool(wants(NAME, A100, T4), owner="own"), node_class(osDiskSizeGB=512)],
        [("NPS012", "/spec/osDiskSizeGB")],
    ),
    "a disk that fits": ([pool(wants(NAME, A100), owner="own"), node_class(osDiskSizeGB=274)], []),
    "more values than there are": (
        [pool(wants(NAME, A100, "Standard_NC48ads_A100_v4"), wants(COUNT, operator="Exists", minValues=3))],
        [("NPS013", "/spec/template/spec/requirements/1/minValues")],
    ),
    "as many values as there are": (
        [pool(wants(NAME, A100, "Standard_NC48ads_A100_v4"), wants(COUNT, operator="Exists", minValues=2))],
        [],
    ),
    "any NVIDIA GPU": ([pool(wants(MAKER, "nvidia"))], [("NPS014", f"{FIRST}/values/0")]),
    "a part by name": ([pool(wants(NAME, A10))], []),
    "a limit of nothing": ([pool(wants(NAME, A100), limits={"cpu": 0})], []),
    "a limit in thousandths": ([pool(wants(NAME, A100), limits={"cpu": "23999m"})], [("NPS015", "/spec/limits/cpu")]),
    "a limit that fits": (
        [pool(wants(NAME, A100), limits={"cpu": 24, "memory": "218506461184", "nvidia.com/gpu": 1})],
        [],
    ),
    "a byte too few": (
        [pool(wants(NAME, A100), limits={"memory": "218506461183"})],
        [("NPS015", "/spec/limits/memory")],
    ),
    "a limit on a pool of CPUs": ([pool(wants(FAMILY, "D"), limits={"cpu": 1})], []),
    "a limit of the other maker": ([pool(wants(NAME, MI300X), limits={"nvidia.com/gpu": 4})], []),
    "two pools and the class of AKS": ([pool(wants(NAME, T4)), pool(wants(NAME, A100), name="other")], []),
    "two pools and one class": (
        [pool(wants(NAME, T4), owner="own"), pool(wants(NAME, A100), owner="own", name="other"), node_class()],
        [("NPS019", "/spec/template/spec/nodeClassRef/name")],
    ),
}


@for_each(("bodies", "expected"), CASES.values(), ids=CASES)
def test_a_pool_and_its_sizes(bodies: list[dict[str, Any]], expected: list[tuple[str, str]]) -> None:
    assert sorted((fault.code, fault.pointer) for fault in diagnostics(*bodies, closed=False)) == expected


def test_the_class_is_unknown_if_a_patch_may_change_it() -> None:
    bodies = somewhere(pool(wants(NAME, MI300X), owner="own"), node_class())
    patch = somewhere(node_class(gpu={"mode": "None"}), patch=True)
    faults = object_findings([*bodies, *patch], KUBERNETES, shared_norms(), closed=False)
    assert not [fault for fault in faults if fault.code == "NPS006"]


@pytest.mark.parametrize(
    ("facts", "spec", "remedy"),
    [
        (
            {"encryptionAtHost": False},
            {"security": {"encryptionAtHost": True}},
            "remove security.encryptionAtHost from the AKSNodeClass, or use other sizes",
        ),
        (
            {"vcpus": 2},
            dns(),
            "remove localDNS from the AKSNodeClass, or use other sizes",
        ),
    ],
    ids=["encryption", "LocalDNS"],
)
def test_a_node_class_whose_setting_a_size_does_not_support(facts: Any, spec: Any, remedy: str) -> None:
    """No size of the catalog lacks only these, but a row of your own catalog may."""
    row = {"name": T4, "extends": "gitgpu", **facts, "source": ["https://example.com"], "verified": "2026-11-01"}
    own = Catalog(CatalogFiles([Folder("mine", "mine", {f"skus/{T4}.yaml": json.dumps(row)})]))
    bodies = somewhere(pool(wants(NAME, T4), owner="own"), node_class(**spec))
    faults = object_findings(bodies, KUBERNETES, norms(Schemas(), own), closed=False)
    assert [fault.help for fault in faults if fault.code == "NPS006"] == [remedy]


@pytest.mark.parametrize(("today", "expected"), [("2026-09-29", []), ("2026-09-30", ["NPS003"]), ("", ["NPS003"])])
def test_a_size_is_retired_on_its_date(today: str, expected: list[str]) -> None:
    faults = diagnostics(pool(wants(NAME, "Standard_NV12s_v3")), today=today)
    assert [fault.code for fault in faults] == expected


@pytest.mark.parametrize(
    ("requirement", "text"),
    [(wants(NAME, "nc4as_t4_v3"), T4), (wants(GPU, "Tesla-T4"), "T4"), (wants(GPU, "h100"), "H100")],
)
def test_a_misspelling_is_fixed(requirement: dict[str, Any], text: str) -> None:
    (fault,) = diagnostics(pool(requirement))
    assert fault.edit
    assert fault.edit.text == text


CAPACITY, PRIORITY = "karpenter.sh/capacity-type", "kubernetes.azure.com/scalesetpriority"


@for_each(
    ("key", "operator", "values", "releases", "count"),
    [
        (CAPACITY, "NotIn", ("spot",), ("1.14.0",), 0),
        (CAPACITY, "NotIn", ("spot",), ("1.14.3",), 1),
        (CAPACITY, "NotIn", ("spot",), ("1.15",), 1),
        (CAPACITY, "NotIn", ("spot",), ("1.14.0", "1.14.3"), 0),
        (CAPACITY, "NotIn", ("spot",), (), 0),  # AKS runs an older release
        (CAPACITY, "Exists", (), ("1.15",), 0),
        (PRIORITY, "NotIn", ("regular",), ("1.15",), 1),
        ("topology.kubernetes.io/zone", "NotIn", ("eastus-1",), ("1.15",), 0),  # the region is not known
    ],
)
def test_values_that_count_for_min_values(
    key: str, operator: str, values: tuple[str, ...], releases: tuple[str, ...], count: int
) -> None:
    body = pool(wants(NAME, A100), wants(key, *values, operator=operator, minValues=2))
    versions = (("karpenter", releases),) if releases else ()
    faults = object_findings(somewhere(body), KUBERNETES, replace(shared_norms(), versions=versions), closed=False)
    assert [fault.code for fault in faults if fault.code == "NPS013"] == ["NPS013"] * count
