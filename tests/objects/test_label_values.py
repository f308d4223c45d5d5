"""Values of labels: zones, and how a value is written in YAML."""

import yaml

from gitgpu.objects.node.label_values import same_but_for_case, yaml_value
from gitgpu.objects.node.zones import is_zone, regions_of
from tests.helping.cases import for_each


@for_each(
    ("value", "expected"),
    [
        ("swedencentral-1", True),
        ("eastus2-3", True),
        ("none", True),
        ("SwedenCentral-1", False),
        ("swedencentral-12", False),
        ("swedencentral-", False),
        ("swedencentral-a", False),
        ("swedencentral-\u0661", False),
        ("\u00f6st-1", False),
        ("sweden_central-1", False),
        ("-1", False),
        ("1", False),
        ("", False),
    ],
)
def test_a_zone_is_a_region_and_a_digit(value: str, *, expected: bool) -> None:
    assert is_zone(value, "none") is expected


def test_the_regions_of_zones() -> None:
    assert regions_of(iter(["b-1", "none", "a-2", "b-3", "B-1"]), "none") == ["b", "a"]


@for_each("value", ["true", "false", "N", "1", "007"])
def test_a_label_value_is_text_in_yaml(value: str) -> None:
    assert yaml_value(value) == f'"{value}"'


@for_each("value", ["amd64", "Standard_NC16as_T4_v3", "spot", "v1"])
def test_a_label_value_that_is_text_without_quotes(value: str) -> None:
    assert yaml_value(value) == value
    assert yaml.load(yaml_value(value), yaml.CSafeLoader) == value


def test_a_value_that_differs_only_in_case() -> None:
    assert same_but_for_case("Spot", ("on-demand", "spot")) == "spot"
    assert same_but_for_case("spot", ("on-demand", "spot")) == ""
    assert same_but_for_case("spots", ("on-demand", "spot")) == ""
