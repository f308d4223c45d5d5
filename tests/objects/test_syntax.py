"""The syntax of names, labels and selectors in API servers, and of zones in Karpenter."""

from typing import Any

from gitgpu.objects.monitoring.counter_lists import counter_lists
from gitgpu.objects.node.zones import is_zone, regions_of, unknown_zone, zone_meant
from gitgpu.objects.objects import Item, Objects, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.syntax import is_dns_label, is_dns_subdomain, is_label_value, is_path_segment, is_qualified_name
from gitgpu.objects.workload.label_selectors import key_faults, selector_faults
from tests.helping.cases import for_each
from tests.rules.objects.samples import shared_norms, somewhere

A63, A64 = "a" * 63, "a" * 64
LONG = ".".join([A63] * 4)  # 255 characters


@for_each(
    ("text", "subdomain", "label", "value", "key"),
    [
        ("a", True, True, True, True),
        ("a-b", True, True, True, True),
        ("a.b", True, False, True, True),
        ("A", False, False, True, True),
        ("a_b", False, False, True, True),
        ("-a", False, False, False, False),
        ("a-", False, False, False, False),
        ("a.", False, False, False, False),
        ("a..b", False, False, True, True),
        ("a b", False, False, False, False),
        ("a\n", False, False, False, False),
        ("ä", False, False, False, False),
        ("", False, False, True, False),
        (A63, True, True, True, True),
        (A64, True, False, False, False),
        (LONG[:253], True, False, False, False),
        (LONG[:254], False, False, False, False),
        ("a.b/c", False, False, False, True),
        ("A.b/c", False, False, False, False),
        ("/c", False, False, False, False),
        ("a/b/c", False, False, False, False),
        (f"{A63}.{A63}/{A63}", False, False, False, True),
        (f"a/{A64}", False, False, False, False),
    ],
)
def test_which_texts_are_kubernetes_names(text: str, subdomain: bool, label: bool, value: bool, key: bool) -> None:
    valid = (is_dns_subdomain(text), is_dns_label(text), is_label_value(text), is_qualified_name(text))
    assert valid == (subdomain, label, value, key)


@for_each(
    ("text", "fits"),
    [
        ("a", True),
        ("a b", True),
        ("", False),
        (".", False),
        ("..", False),
        ("...", True),
        ("a/b", False),
        ("50%", False),
    ],
)
def test_parts_of_a_path(text: str, fits: bool) -> None:
    assert is_path_segment(text) is fits


def expression(**more: Any) -> dict[str, Any]:
    """A selector of one expression."""
    return {"matchExpressions": [None, {"key": "a", "operator": "In", "values": ["b"], **more}]}


@for_each(
    ("selector", "expected"),
    [
        (None, []),
        ({}, []),
        ({"matchLabels": {"a": "b", "c": None, "d/e": ""}}, []),
        ({"matchLabels": {"a b": "c"}}, [(("matchLabels", "a b"), "'a b' is not a valid label key")]),
        ({"matchLabels": {"a": "b c"}}, [(("matchLabels", "a"), "'b c' is not a valid label value")]),
        (expression(), []),
        (expression(operator="NotIn"), []),
        (expression(operator="Exists", values=[]), []),
        (expression(operator="DoesNotExist", values=None), []),
        (expression(key=""), [(("matchExpressions", 1, "key"), "'' is not a valid label key")]),
        (expression(operator="Gt"), [(("matchExpressions", 1, "operator"), "a label selector has no operator 'Gt'")]),
        (expression(values=[]), [(("matchExpressions", 1), "operator In needs values")]),
        (expression(operator="Exists"), [(("matchExpressions", 1, "values"), "operator Exists does not take values")]),
        (expression(values=["b", "c d"]), [(("matchExpressions", 1, "values", 1), "'c d' is not a valid label value")]),
    ],
)
def test_faults_of_selectors(selector: dict[str, Any] | None, expected: list[tuple[Any, str]]) -> None:
    assert [(fault.pointer, fault.message) for fault in selector_faults(selector)] == expected
    assert all(fault.help for fault in selector_faults(selector))


CHOSEN = {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "c", "operator": "Exists"}]}


@for_each(
    ("term", "expected"),
    [
        ({}, []),
        ({"labelSelector": CHOSEN, "matchLabelKeys": ["d"], "mismatchLabelKeys": ["e"]}, []),
        ({"matchLabelKeys": ["d"]}, [(("matchLabelKeys",), "matchLabelKeys needs a labelSelector")]),
        ({"mismatchLabelKeys": ["d"]}, [(("mismatchLabelKeys",), "mismatchLabelKeys needs a labelSelector")]),
        ({"labelSelector": {}, "matchLabelKeys": ["d"]}, []),
        (
            {"labelSelector": CHOSEN, "mismatchLabelKeys": ["d", "e f"]},
            [(("mismatchLabelKeys", 1), "'e f' is not a valid label key")],
        ),
        (
            {"labelSelector": CHOSEN, "matchLabelKeys": ["d", "a"]},
            [(("matchLabelKeys", 1), "a is in both matchLabelKeys and labelSelector")],
        ),
        (
            {"labelSelector": CHOSEN, "matchLabelKeys": ["c"]},
            [(("matchLabelKeys", 0), "c is in both matchLabelKeys and labelSelector")],
        ),
        (
            {"labelSelector": CHOSEN, "matchLabelKeys": ["d"], "mismatchLabelKeys": ["d"]},
            [(("matchLabelKeys", 0), "d is in both matchLabelKeys and mismatchLabelKeys")],
        ),
    ],
)
def test_keys_whose_values_come_from_the_pod_itself(term: dict[str, Any], expected: list[tuple[Any, str]]) -> None:
    faults = list(key_faults(term))
    assert [(fault.pointer, fault.message) for fault in faults] == expected
    for fault in faults:
        if "labelSelector" in fault.message and "needs" in fault.message:
            assert fault.help == "add a labelSelector"
        elif "is in both" in fault.message:
            assert fault.help == "remove it from one of them"


def objects(*items: Item) -> Objects:
    """These objects, and the catalog of this release."""
    return Objects(
        items, frozenset(item.identity for item in items), shared_norms().catalog, shared_norms().kinds, "1.36"
    )


@for_each(
    ("value", "fits", "meant", "unknown"),
    [
        ("eastus-1", True, "eastus-1", False),
        ("eastus-9", True, "eastus-9", True),
        ("0", True, "", False),
        ("eastus1", False, "eastus-1", False),
        ("eastus21", False, "eastus2-1", False),
        ("eastus2", False, "", False),
        ("EastUS-1", False, "eastus-1", False),
        ("East US-1", False, "eastus-1", False),
        ("elsewhere-1", True, "", False),
        ("elsewhere1", False, "", False),
        ("eastus-12", False, "", True),
        ("eastus-x", False, "", True),
        ("-1", False, "", False),
        ("east us-1", False, "eastus-1", False),
        ("", False, "", False),
    ],
)
def test_which_texts_are_zones_of_azure(value: str, fits: bool, meant: str, unknown: bool) -> None:
    assert (is_zone(value, "0"), zone_meant(value, objects()), unknown_zone(value, objects())) == (fits, meant, unknown)


def test_the_regions_of_zones() -> None:
    assert regions_of(iter(["b-1", "a-1", "0", "b-2", "eastus1"]), "0") == ["b", "a"]


@for_each(
    ("lines", "exported"),
    [
        (["DCGM_FI_DEV_GPU_UTIL, gauge, GPU utilization."], {"DCGM_FI_DEV_GPU_UTIL"}),
        (["# DCGM_FI_DEV_FB_FREE, gauge, Free.", "", "DCGM_FI_DEV_FB_USED,gauge,Used."], {"DCGM_FI_DEV_FB_USED"}),
        (["DCGM_FI_DRIVER_VERSION, label, Driver.", "DCGM_FI_DEV_SM_CLOCK, gauge, Clock."], {"DCGM_FI_DEV_SM_CLOCK"}),
        (["DCGM_FI_DEV_SM_CLOCK, gauge", "DCGM_FI_DEV_FB_USED, gauge, Used."], {"DCGM_FI_DEV_FB_USED"}),
        (['DCGM_FI_DEV_SM_CLOCK,gauge,"Clock, in MHz."'], {"DCGM_FI_DEV_SM_CLOCK"}),
        (["DCGM_FI_DEV_SM_CLOCK, gauge, Clock, in MHz."], set()),
        (["DCGM_FI_DEV_SM_CLOCK, gauge, Clock.", "something else"], None),
        (["DCGM_FI_DEV_SM_CLOCK gauge Clock."], None),
        (["DCGM_FI_DEV_SM_CLOCK, gauge, {{ .Values.clock }}"], None),
    ],
)
def test_lists_of_counters(lines: list[str], exported: set[str] | None) -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a.csv": "\n".join(lines)}}
    (given,) = somewhere(body)
    lists = [
        counter_list.exported_metrics
        for counter_list in counter_lists(objects(Item(given, identity(body), Scope.NAMESPACED)))
    ]
    assert lists == ([] if exported is None else [exported])


def test_a_list_of_counters_keeps_line_numbers() -> None:
    text = "# comment\nDCGM_FI_DEV_FB_USED, gauge, Used.\n\n#\nDCGM_FI_DEV_SM_CLOCK, gauge, Clock.\n"
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a.csv": text}}
    (given,) = somewhere(body)
    (counter_list,) = counter_lists(objects(Item(given, identity(body), Scope.NAMESPACED)))
    assert (counter_list.pointer, [line.number for line in counter_list.lines]) == (("data", "a.csv"), [2, 5])
