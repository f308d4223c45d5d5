"""Misspelt size names: the size that is meant, its series, or nothing."""

from gitgpu.model.syntax.size_names import family, parts, same_machine, same_series, same_vcpus, similar_sizes
from tests.helping.cases import for_each

KNOWN = {
    "Standard_NC24ads_A100_v4": "A100",
    "Standard_NC48ads_A100_v4": "A100",
    "Standard_NC16as_T4_v3": "T4",
    "Standard_NC8as_T4_v3": "T4",
    "Standard_NV36ads_A10_v5": "A10",
    "Standard_NV36adms_A10_v5": "A10",
    "Standard_NC64as_T4_v3": "T4",
    "Standard_D8s_v5": "",
}


@for_each(
    ("name", "expected"),
    [
        ("standard-nc16as-t4-v3", "Standard_NC16as_T4_v3"),
        ("NC24ads A100 v4", "Standard_NC24ads_A100_v4"),
        ("Stanadrd_NC24ads_A100_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC24asd_A100_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC24ads_A100_v5", "Standard_NC24ads_A100_v4"),
        ("Standard_NC24ads_T4_v4", ""),  # another GPU
        ("Standard_NC25ads_A100_v4", ""),  # other vCPUs
        ("Standard_NV24ads_A100_v4", ""),  # another family
        ("Standard_NV36ads_A10_v5", "Standard_NV36ads_A10_v5"),
        ("Standard_NV36_A10_v5", ""),  # two are equally near
        ("gpu", ""),
        ("", ""),
    ],
)
def test_the_same_machine(name: str, expected: str) -> None:
    assert same_machine(name, KNOWN) == expected


def test_two_sizes_that_are_equally_near_are_no_suggestion() -> None:
    known = {"Standard_NC24ax_A100_v4": "A100", "Standard_NC24ay_A100_v4": "A100"}
    assert same_machine("Standard_NC24az_A100_v4", known) == ""


def test_the_sizes_of_a_series() -> None:
    assert same_series("Standard_NC4as_T4_v3", KNOWN) == (
        "Standard_NC8as_T4_v3",
        "Standard_NC16as_T4_v3",
        "Standard_NC64as_T4_v3",
    )
    assert same_series("Standard_NV4as_T4_v3", KNOWN) == ()
    assert same_series("gpu", KNOWN) == ()
    assert same_series("NC4", {"Standard_NC8as_T4_v3": "T4", "Standard_NC4_new": ""}) == ()


def test_a_name_without_a_gpu_gets_the_sizes_with_its_vcpus() -> None:
    assert same_vcpus("NV36", KNOWN) == ("Standard_NV36adms_A10_v5", "Standard_NV36ads_A10_v5")
    assert same_vcpus("NV37", KNOWN) == ()
    assert same_vcpus("gpu", KNOWN) == ()
    expected = "the sizes of this family with as many vCPUs are Standard_NV36adms_A10_v5, Standard_NV36ads_A10_v5"
    assert similar_sizes("NV36", KNOWN) == expected
    assert similar_sizes("Standard_NC4as_T4_v3", KNOWN).startswith("the sizes of this series are Standard_NC8as_T4_v3")
    assert similar_sizes("NV37", KNOWN) == ""


def test_the_family_of_a_name() -> None:
    assert family("Standard_D4s_v5", KNOWN.values()) == "D"
    assert family("Standard_NC4as_T4_v3", KNOWN.values()) == ""
    assert family("gpu", KNOWN.values()) == ""


def test_the_parts_of_a_name() -> None:
    assert parts("Standard_NC24ads_A100_v4") == ("nc", "24", "ads", ("a100",), "v4")
    assert parts("NV72adms_A10_V5") == ("nv", "72", "adms", ("a10",), "v5")
    assert parts("Standard_NC6") == ("nc", "6", "", (), "")
    assert parts("NC24r-v3") == ("nc", "24", "r", (), "v3")
    assert parts("Standard") is None
