"""Advisories: which combinations match, and what is not known."""

import re
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import catalog
from gitgpu.model.software.advisories import (
    NO_KARPENTER,
    Advisory,
    Combination,
    Match,
    Verdict,
    advisories,
    exact_version,
    match,
    node_image_parts,
)
from gitgpu.rules.fleet_rulebook import fleet_codes
from gitgpu.rules.object_findings import object_codes
from tests.helping.cases import for_each

CATALOG = catalog(())
A10 = CATALOG.sku("Standard_NV36ads_A10_v5")
KNOWN = Combination(
    sku=A10,
    system="Ubuntu",
    driver="aks",
    node_image="202607.02.0",
    kubernetes="v1.34.2",
    containerd="2.3.2",
    karpenter="1.13.1",
    chart="gpu-operator",
    image="nvcr.io/nvidia/k8s-device-plugin",
    version="v25.10.1",
)


def advisory(wanted: dict[str, Any], begins: str = "", until: str = "") -> Advisory:
    return Advisory("ADV900", "t", Severity.WARNING, wanted, begins, until, "e", "r", (), ("https://a.example",), {})


@for_each(
    ("key", "yes", "no"),
    [
        ("sizes", ["Standard_NV36ads_A10_v5"], ["Standard_NC24ads_A100_v4"]),
        ("families", ["StandardNVADSA10v5Family"], ["Standard NDSv2 Family"]),
        ("gpus", ["A10"], ["T4"]),
        ("imageFamily", ["Ubuntu"], ["AzureLinux"]),
        ("nodeImage", "=202607.02.0", ">202607.02.0"),
        ("nodeImage", ">=202606 <202607.03.0", "<202607.02.0"),
        ("kubernetes", ">=1.34.0 <1.34.3", "<1.34.2"),
        ("containerd", ">=2.3.0", "<2.3.0"),
        ("karpenter", ">=1.13.0 <1.14.0", ">=1.14.0"),
        ("karpenter", "*", "<1.0"),
        ("chart", ["gpu-operator"], ["keda"]),
        ("image", ["nvidia/k8s-device-plugin"], ["k8s-device"]),
        ("version", "<25.3.1 || =25.10.1", "=25.10.0"),
    ],
)
def test_each_key_has_three_answers(key: str, yes: Any, no: Any) -> None:
    assert match(advisory({key: yes}), KNOWN) == Match(Verdict.YES)
    assert match(advisory({key: no}), KNOWN) == Match(Verdict.NO)
    assert match(advisory({key: yes}), Combination()) == Match(Verdict.UNKNOWN, (key,))


def test_one_false_condition_is_enough_and_unread_ones_are_named() -> None:
    wanted = {"gpus": ["A10"], "nodeImage": "=202607.02.0", "containerd": ">=2.3.0"}
    unread = KNOWN._replace(node_image=None, containerd=None)
    assert match(advisory(wanted), unread) == Match(Verdict.UNKNOWN, ("nodeImage", "containerd"))
    assert match(advisory(wanted | {"gpus": ["T4"]}), unread).verdict is Verdict.NO


def test_who_installs_the_driver_decides() -> None:
    wanted = advisory({"driver": "aks"})
    answers = [match(wanted, KNOWN._replace(driver=driver)).verdict for driver in ("aks", "none", "operator", None)]
    assert answers == [Verdict.YES, Verdict.NO, Verdict.NO, Verdict.UNKNOWN]


def test_other_nodes_have_no_version_of_karpenter() -> None:
    assert match(advisory({"karpenter": "*"}), KNOWN._replace(karpenter=NO_KARPENTER)).verdict is Verdict.NO


@for_each(
    ("bounds", "verdict"),
    [(">=1.34", Verdict.YES), ("<1.34", Verdict.NO), (">=1.34.2", Verdict.UNKNOWN), ("<1.34.2", Verdict.UNKNOWN)],
)
def test_a_minor_version_matches_only_if_all_of_its_patches_do(bounds: str, verdict: Verdict) -> None:
    assert match(advisory({"kubernetes": bounds}), KNOWN._replace(kubernetes="1.34")).verdict is verdict


def test_an_effect_begins_on_a_day() -> None:
    known = advisory({"gpus": ["A10"]}, begins="2026-07-24")
    answers = [match(known, KNOWN, today).verdict for today in ("2026-07-23", "2026-07-24", "")]
    assert answers == [Verdict.NO, Verdict.YES, Verdict.YES]


def test_newer_node_images_than_the_last_day_do_not_match() -> None:
    known = advisory({"nodeImage": ">=202607.02.0"}, until="2026-07-20")
    images = ("202607.02.0", "202607.20.1", "202607.21.0", "202608.01.0")
    assert [match(known, KNOWN._replace(node_image=image)).verdict for image in images] == [
        *[Verdict.YES] * 2,
        *[Verdict.NO] * 2,
    ]
    assert match(known, KNOWN, "2026-12-01").verdict is Verdict.YES, "nodes of this image are as they were"


def test_without_a_version_the_last_day_is_one_of_the_run() -> None:
    known, node = advisory({"gpus": ["A10"]}, until="2026-07-20"), KNOWN._replace(node_image=None)
    assert match(known, node, "2026-07-20").verdict is Verdict.YES
    assert match(known, node, "2026-07-21").verdict is Verdict.NO


@for_each(
    ("name", "parts"),
    [
        ("AKSUbuntu-2204gen2containerd-202607.02.0", ("Ubuntu", "202607.02.0")),
        ("AKSAzureLinux-V3gen2-202607.02.0", ("AzureLinux", "202607.02.0")),
        ("AKSWindows-2022-containerd-gen2-20348.4171.250910", (None, None)),
        ("AKSOther-1-202607.02.0", (None, "202607.02.0")),
        ("", (None, None)),
    ],
)
def test_a_node_image_has_a_system_and_a_version(name: str, parts: tuple[str | None, str | None]) -> None:
    assert node_image_parts(name) == parts


@for_each("text", ["25.10.x", "^25.3", "25", "*", "", "latest", ">=1.2.3", "main"])
def test_a_range_or_branch_is_no_version(text: str) -> None:
    assert exact_version(text) is None
    assert exact_version("v25.10.1") == "v25.10.1"
    assert exact_version("570.148.08-ubuntu22.04") is not None


def test_rows_of_the_catalog_name_what_exists() -> None:
    codes = fleet_codes() | object_codes()
    quota = {sku.row.get("quotaFamily") for sku in CATALOG.skus}
    for row in advisories(CATALOG):
        assert codes.issuperset(row.rules), row.id
        assert all(CATALOG.sku(size) for size in row.match.get("sizes", ())), row.id
        assert quota.issuperset(row.match.get("families", ())), row.id
        assert set(CATALOG.names("gpus")).issuperset(row.match.get("gpus", ())), row.id
        assert not row.effect.endswith(".")
        assert not row.remedy.endswith(".")
        assert not row.title.endswith("."), row.id
        assert re.match(r"ADV[0-4]", row.id), "ADV500 and above are for users"


def test_the_remedy_of_each_row_about_software_is_outside_its_range() -> None:
    """Who follows it has a version that the advisory does not match.

    Upstream's notes of ADV025 and ADV026 name a workaround, and no release with a fix.
    """
    for row in advisories(CATALOG):
        if row.of_software and not row.rules and not row.of_nodes and row.id not in ("ADV025", "ADV026"):
            [*_, version] = re.findall(r"\d+\.\d+\.\d+", row.remedy)
            chart, image = row.match.get("chart"), row.match.get("image")
            fixed = Combination(chart=chart and chart[0], image=image and image[0], version=version)
            assert match(row, fixed).verdict is Verdict.NO, row.id
