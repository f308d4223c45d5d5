"""Words in messages: suggestions for misspelt words, plurals, lists of names."""

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.spelling import comma_separated, count_text, join_names, nearest, one_of
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())


def test_a_single_name_is_not_a_choice() -> None:
    assert one_of(["a"]) == "a"
    assert one_of(["a", "b"]) == "one of a, b"


@for_each(
    ("region", "meant"),
    [
        ("estus", "eastus"),  # westus is as near, but its beginning differs
        ("westeu", "westeurope"),
        ("wesus3", "westus3"),
        ("swedencentrl", "swedencentral"),
        ("us-east-1", None),
        ("usgovirginia", "usgovvirginia"),
    ],
)
def test_the_region_that_is_meant(region: str, meant: str | None) -> None:
    assert CATALOG.similar_name("regions", region) == meant


@pytest.mark.parametrize(
    ("field", "meant"),
    [
        ("DCGM_FI_DEV_GPU_UTILIZATION", "DCGM_FI_DEV_GPU_UTIL"),  # not DCGM_FI_DEV_VGPU_UTILIZATIONS
        ("DCGM_FI_DEV_GPU_TEMPERATURE", "DCGM_FI_DEV_GPU_TEMP"),
        ("DCGM_FI_DEV_POWER_USGE", "DCGM_FI_DEV_POWER_USAGE"),
    ],
)
def test_an_unabbreviated_part_means_its_short_form(field: str, meant: str) -> None:
    known = [name for row in CATALOG.rows("counters").values() for name in row["fields"]]
    assert nearest(field, [*known, "DCGM_FI_DEV_VGPU_UTILIZATIONS"]) == meant


@for_each(
    ("name", "meant"),
    [
        ("ND96asr_A100_v4", "Standard_ND96asr_v4"),
        ("Standard_ND96asr_A100_v4", "Standard_ND96asr_v4"),
        ("Standard_ND96amsr_v4", "Standard_ND96amsr_A100_v4"),
        ("standard-nc24ads-a100-v4", "Standard_NC24ads_A100_v4"),
        ("NC24adsA100v4", "Standard_NC24ads_A100_v4"),
        ("Standrd_NC24ads_A100_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC24s_A100_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC24ads_A1000_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC64as_T4_v4", "Standard_NC64as_T4_v3"),
        ("Standard_NC80ads_H100_v5", "Standard_NC80adis_H100_v5"),
        ("Standard_ND96isr_MI300_v5", "Standard_ND96isr_MI300X_v5"),
        ("Standard_NC24ads_A10_v4", None),  # an A10 is not an A100
        ("Standard_NC25ads_A100_v4", None),  # no size has 25 vCPUs
        ("Standard_NC96ads_H100_v5", None),
        ("Standard_D4s_v5", None),
        ("p4d.24xlarge", None),
        ("A100", None),
    ],
)
def test_a_misspelt_size_means_the_same_machine_or_nothing(name: str, meant: str | None) -> None:
    assert CATALOG.similar_name("skus", name) == meant


def test_without_a_matching_machine_the_sizes_of_the_series_are_listed() -> None:
    assert CATALOG.size_remedy("Standard_NC25ads_A100_v4") == (
        "the sizes of this series are Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4, Standard_NC96ads_A100_v4"
    )
    assert CATALOG.size_remedy("p4d.24xlarge") == ""


def test_each_size_is_found_by_its_own_name_however_it_is_spelt() -> None:
    for name in CATALOG.names("skus"):
        bare = name.removeprefix("Standard_")
        for spelt in (name, name.lower(), bare, name.replace("_", "-"), name.replace("_", "")):
            assert CATALOG.similar_name("skus", spelt) == name


@given(word=st.text(max_size=12), options=st.lists(st.text(max_size=12), max_size=6))
def test_what_is_suggested_is_one_of_the_options(word: str, options: list[str]) -> None:
    assert nearest(word, options) in ("", *options)
    assert nearest(word, options) == nearest(word, list(reversed(options)))


@pytest.mark.parametrize(
    ("noun", "several"),
    [("GitRepository", "2 GitRepositories"), ("NodePool", "2 NodePools"), ("Gateway", "2 Gateways")],
)
def test_kinds_are_counted(noun: str, several: str) -> None:
    assert (count_text(1, noun), count_text(2, noun)) == (f"1 {noun}", several)


def test_long_lists_of_names_are_shortened() -> None:
    assert comma_separated(["a", "b"], 2) == "a, b"
    assert comma_separated(["a", "b", "c", "d"], 2) == "a, b and 2 more"
    assert comma_separated([], 2) == ""


@for_each(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d"], "a, b, c and 1 more"),
        (range(7), "0, 1, 2 and 4 more"),
    ],
)
def test_names_are_joined_as_in_a_sentence(names: Collection[object], text: str) -> None:
    assert join_names(names) == text


@for_each(
    ("number", "noun", "text"),
    [
        (0, "node", "0 nodes"),
        (2, "repository", "2 repositories"),
        (2, "proxy", "2 proxies"),
        (2, "key", "2 keys"),
        (2, "class", "2 classes"),
        (1, "repository", "1 repository"),
    ],
)
def test_nouns_are_counted(number: int, noun: str, text: str) -> None:
    assert count_text(number, noun) == text


@for_each(
    ("word", "options", "meant"),
    [
        ("GPU", ["gpu"], "gpu"),
        ("gpu", ["GPU", "gpu"], "gpu"),
        ("Gpu", ["gpu", "GPU"], "GPU"),
        ("west", ["westeurope"], ""),  # too short to be an abbreviation, and too different
        ("gpu-ut", ["gpu-utilization"], ""),  # two letters of a part are too few
        ("gpu-uti", ["gpu-utilization"], "gpu-utilization"),
        ("gpu-util", ["gpu-utilization", "gpu-utilities"], "gpu-utilities"),  # both start with it: the nearer one
        ("estus", ["westus", "eastus"], "eastus"),
        ("abcd", ["abcx", "abcy"], "abcy"),  # equally similar: the later one, regardless of the order
        ("abcd", ["abcy", "abcx"], "abcy"),
        ("abcdefgh", ["bcde", "xxabcdefyy"], "xxabcdefyy"),  # equally similar, and nearer in length
        ("abc", ["xyz"], ""),
    ],
)
def test_the_option_that_a_word_stands_for(word: str, options: list[str], meant: str) -> None:
    assert nearest(word, options) == meant


def test_only_what_is_as_similar_as_asked_for_is_suggested() -> None:
    assert nearest("abcd", ["abxy"], 0.5) == "abxy"
    assert nearest("abcd", ["abxy"], 0.51) == ""


def test_of_very_many_options_those_next_to_a_word_are_compared() -> None:
    options = [f"option{number:04}" for number in range(2000)]
    assert nearest("option1234x", options) == "option1234"
    assert nearest("Option0000x", options) == "option0000"
    assert nearest("xption1234", options) == "option1934"  # option1234 is too far away in alphabetical order


@for_each(
    ("word", "option", "is_meant"),
    [
        ("weste", "westeurope", False),  # too short: half of the word
        ("westeu", "westeurope", True),
        ("gpus", "gpus-a", False),  # four letters are too few
        ("gpuss", "gpuss-a", True),
        ("disk-100", "disk-1000000000000", False),  # numbers are not abbreviated
        ("disk-uti", "disk-utilization", True),
        ("disk-utilization", "disk-uti", True),
        ("disk-ut", "disk-utilization", False),
        ("some-disk-uti", "disk-utilization", False),  # a different number of parts
    ],
)
def test_a_part_can_be_abbreviated_and_a_word_can_be_incomplete(word: str, option: str, is_meant: bool) -> None:
    assert nearest(word, [option], 0.95) == (option if is_meant else "")


@for_each(
    ("word", "options", "meant"),
    [
        ("node-utilization", ["node-util", "mode-utilizations"], "node-util"),
        ("node-util", ["node-utilization", "mode-util"], "node-utilization"),
        ("node-gpu1", ["node-gpu1xxxxxxxxxx", "node-gpu2"], "node-gpu2"),  # a number does not start a longer word
        ("node-gpu1234567", ["node-gpu", "node-gpx1234567"], "node-gpx1234567"),
        ("node-gpu", ["node-gpu123456789", "node-gpx"], "node-gpx"),
        ("node-ut", ["node-utilization", "node-up"], "node-up"),  # two letters are not an abbreviation
        ("a-node-util", ["node-utilization", "b-node-util"], "b-node-util"),
        ("util", ["utilizations", "utils"], "utils"),
        ("node-uti", ["node-utilization", "node-utility"], "node-utility"),  # an abbreviation of both: the nearer one
        ("NODE_Util", ["node-utilization"], "node-utilization"),
        ("weste", ["westeu-1", "westx"], "westeu-1"),
        ("weste", ["westeurope", "westx"], "westx"),  # half of westeurope is too short
        ("west", ["westeu", "wesx"], "westeu"),
        ("abcd", ["abce", "xbcd"], "abce"),
        ("abcd", ["abcde", "abce"], "abcde"),
        ("abcdef", ["ABCDEF", "abcdeF"], "ABCDEF"),
        ("abcdef", ["abcdef", "ABCDEF"], "abcdef"),
        ("wxyz", ["abcd"], ""),
        ("", ["abcd"], ""),
        ("abcd", [], ""),
    ],
)
def test_which_of_several_words_is_meant(word: str, options: list[str], meant: str) -> None:
    assert nearest(word, options) == meant
    assert nearest(word, options[::-1]) == meant


def test_only_words_as_similar_as_asked_are_meant() -> None:
    assert nearest("abcd", ["abxx"], 0.5) == "abxx"
    assert nearest("abcd", ["abxx"], 0.51) == ""


def unlike(start: str, number: int) -> list[str]:
    """Options with a common prefix that are too long to be similar to a short word."""
    return [f"{start}{at:03}{'0' * 90}" for at in range(number)]


@for_each(("between", "total", "is_found"), [(249, 501, True), (250, 501, False), (250, 500, True), (250, 502, False)])
@for_each(("word", "meant"), [("gpu-poolx", "gpu-pool-x"), ("gpu-pool-x", "gpu-poolx")])
def test_of_more_than_500_options_250_before_and_250_from_the_word_on_are_compared(
    word: str, meant: str, between: int, total: int, *, is_found: bool
) -> None:
    """Up to 500 options are all compared."""
    others = total - 1 - between
    options = [meant, *unlike("gpu-pool-y", between), *unlike("a", others // 2), *unlike("z", others - others // 2)]
    assert nearest(word, options, cutoff=0.7) == (meant if is_found else "")
