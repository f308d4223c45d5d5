"""Many values of each syntax, and their meaning: typical values, limits, and common mistakes."""

from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.model.syntax.bounds import bounds
from gitgpu.model.syntax.cron import cron
from gitgpu.model.syntax.duration import duration, seconds
from gitgpu.model.syntax.image import image_fault, short_name, split_host
from gitgpu.model.syntax.quantity import is_whole, quantity, times
from gitgpu.model.syntax.reference import reference
from gitgpu.model.syntax.requirement import clash, intersect, intersection, meets, requirement, undefined_key
from gitgpu.model.syntax.templates import is_template
from gitgpu.model.syntax.version import inside, minor, numbers_in, version
from tests.helping.cases import for_each

CRONS = (
    """
@yearly|@annually|@monthly|@weekly|@daily|@midnight|@hourly|@Daily|@never|* * * * *|? ? ? ? ?
0 8 * * 1-5|0 8 * * mon-fri|0 0 1 * 1|0 0 */1 * 1|0 0 */2 * 1|0 0 1-31 * */1|5/15 * * * *
5-20/15 * * * *|*/7 */5 * * *|0,30 9,17 * * *|0 0 29 2 *|0 0 31 4 *|0 0 30 2 *|0 24 * * *|60 * * * *
0 0 0 * *|0 0 32 * *|0 0 * 13 *|0 0 * 0 *|0 0 * * 7|0 0 * JAN,Dec *|0 0 * * SUN|0 0 * *|0 0 * * * *|
5-3 * * * *|*/0 * * * *|a * * * *|*/x * * * *|1-x * * * *|-1 * * * *|1,,2 * * * *|, * * * *
0 0 1,15 * 3|0 0 * * 0-6|59 23 31 12 *|0 12 1 1 6|٣ * * * *|1/2/3 * * * *|0 0 ? * 2|0 0 13 * 5
0 0 *,5 * 1|0 0 5 * *,1|1-2-3 * * * *
""".strip()
    .replace("\n", "|")
    .split("|")
)
DIGEST = "sha256:" + "0123456789abcdef" * 4
IMAGES = (
    "", " ", " a", "a ", "a b", "a", "a:1", "A", "a/B", "A/b", "A.io/b", "localhost/a", "localhost:5000/a:1",
    "host:5000/a",
    "docker.io/library/a", "docker.io/a", "nvcr.io/nvidia/k8s/dcgm-exporter:4.5-ubuntu22.04", "nvcr.io/a@" + DIGEST,
    "nvcr.io/a:1@" + DIGEST, "a@sha256:123", "a@" + DIGEST.upper().replace("SHA256", "sha256"), "a@" + DIGEST + "0",
    "a@md5:" + "0" * 32, "a@md5:" + "0" * 31, "a@sha512:" + "0" * 128, "a@sha384:" + "0" * 95, "a@", "a:", "a:-x",
    "a:" + "t" * 128, "a:" + "t" * 129, "a" * 255, "a" * 256, "host.io/" + "a" * 255, "host.io/" + "a" * 256, "a..b",
    "a__b",
    "a___b", "a--b", "a-", "-a", "a/b/", "/a", "a//b", "https://nvcr.io/a", "oci://a", "[::1]:5000/a", "a_b.io/c",
    "a@b@c",
    "host:port/a", "a:b:c", "a/b:c/d", "a.b/c:1", "UPPER:5000/a",
)  # fmt: skip
QUANTITIES = "0 1 100m 1.5 .5 5. -1 +1 1k 1K 1Ki 1Mi 1M 1m 1u 1n 1E 1e3 1E3 1e-3 12e 1e100 1Gx 1GiB Gi 0.1Ti 1P 1Pi 1Ei"
VERSIONS = "1.34 v1.34.2-aks1 1 08 1.34.10 26.3.0 x1 v 1..2 network-operator-v26.4.1 4.4.1-4.6.0-distroless none ٣"


def shown(read: Callable[[str], object], text: str) -> str:
    """What a text means, or the error."""
    try:
        return f"{text!r}: {read(text)}"
    except ValueError as error:
        return f"{text!r}: ValueError {error}"


def schedule(text: str) -> str:
    """A schedule in short."""
    runs = cron(text)
    minutes = f"{len(runs.minutes)} times a day from {runs.minutes[:3]}"
    return f"{minutes}, {len(runs.days)} days from {runs.days[:2]}, at most {runs.longest_gap} minutes apart"


def image(text: str) -> str:
    """An image in parts, or why it is invalid."""
    fault = image_fault(text)
    parsed = reference(text)
    return f"{fault!r}; {short_name(text)}; {split_host(text)}; {tuple(parsed)}; {parsed.text}; {parsed.source}"


@pytest.mark.parametrize(
    ("read", "texts"),
    [
        (schedule, CRONS),
        (image, IMAGES),
        (quantity, QUANTITIES.split()),
        (version, VERSIONS.split()),
        (minor, VERSIONS.split()),
        (numbers_in, VERSIONS.split()),
        (bounds, ("4", ">=4", ">4", "<=4", "<4", "4..8", "8..4", "0", "4.5")),
        (seconds, ("1h", "1h30m", "90m", "10s", "1h1m1s", "", "5", "1d")),
        (is_template, ("a", "{{ a }}", "${A}", "$(a)", "$a", "{a}", "")),
    ],
    ids=["cron", "image", "quantity", "version", "minor", "numbers_in", "bounds", "seconds", "is_template"],
)
def test_values(read: Callable[[str], object], texts: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    assert "\n".join(shown(read, text) for text in texts) == snapshot


def test_durations_are_written_in_the_largest_unit() -> None:
    lengths = (0, 1, 59, 60, 61, 90, 3599, 3600, 3660, 5400, 7200, 86400)
    written = ["0s", "1s", "59s", "1m", "61s", "90s", "3599s", "1h", "61m", "90m", "2h", "24h"]
    assert [duration(length) for length in lengths] == written


def test_numbers_are_exact() -> None:
    big = "1" * 40
    assert quantity(f"{big}Ki") == int(big) * 1024
    assert [is_whole(quantity(text)) for text in ("1", "1500m", f"{big}.5", f"{big}k", "0")] == [
        True, False, False, True, True,
    ]  # fmt: skip
    assert times(quantity(f"{big}k"), quantity("1")) == int(big) * 1000
    assert [times(quantity("7"), quantity(part)) for part in ("2", "7", "8", "500m")] == [3, 1, 0, 14]


@for_each(
    ("text", "limits", "is_inside"),
    [
        ("1.34", ">=1.34", True),
        ("1.34", ">1.34", False),
        ("1.34", "<=1.34", True),
        ("1.34", "<1.34", False),
        ("1.34", "=1.34", True),
        ("1.34", "=1.34.0", True),
        ("1.34.1", "=1.34", False),
        ("1.34", ">=1.25 <1.34.1", True),
        ("1.34", ">=1.25 <1.30", False),
        ("1.34", "", True),
        ("v26.10", ">=26.7", True),
        ("26", ">=26.0.0 <26.1", True),
    ],
)
def test_versions_inside_bounds(text: str, limits: str, is_inside: bool) -> None:
    assert inside(text, limits) is is_inside


WANTED = {
    "in": requirement("k", "In", ("1", "5", "a")),
    "other": requirement("k", "In", ("9", "b")),
    "not in": requirement("k", "NotIn", ("5", "c")),
    "exists": requirement("k", "Exists"),
    "absent": requirement("k", "DoesNotExist"),
    "gt": requirement("k", "Gt", ("3",)),
    "gte": requirement("k", "Gte", ("5",)),
    "lt": requirement("k", "Lt", ("5",)),
    "lte": requirement("k", "Lte", ("1",)),
    "few": requirement("k", "In", ("5", "9"), 2),
    "many": requirement("k", "Exists", (), 3),
    "nothing": requirement("k", "Gt", ()),
}


def test_what_two_requirements_leave(snapshot: SnapshotAssertion) -> None:
    lines = []
    for first, wanted in WANTED.items():
        taken = [value for value in ("0", "1", "3", "4", "5", "6", "9", "a", "c", "") if wanted.takes(value)]
        lines.append(f"{first}: {wanted.operator} {sorted(wanted.values)} takes {taken}")
        for second, other in WANTED.items():
            both = intersection(wanted, other)
            bounds_ = both.low, both.high, both.minimum
            lines.append(f"  {second}: {meets(wanted, other)} {both.operator} {sorted(both.values)} {bounds_}")
    assert "\n".join(lines) == snapshot


def test_requirements_by_key() -> None:
    arch, old = requirement("kubernetes.io/arch", "In", ("amd64",)), requirement("beta.kubernetes.io/arch", "Exists")
    assert intersect([arch, old]) == {"kubernetes.io/arch": arch}
    zone, absent = requirement("zone", "In", ("1",)), requirement("zone", "DoesNotExist")
    assert clash({"zone": zone, "a": WANTED["in"]}, {"zone": absent, "a": WANTED["other"]}) == "a"
    assert clash({"zone": zone}, {"zone": absent}) == "zone"
    assert clash({"zone": zone}, {"other": absent}) == ""
    pod = {"b": WANTED["exists"], "a": WANTED["in"], "c": WANTED["absent"], "d": WANTED["not in"]}
    assert undefined_key({}, pod, frozenset()) == "a"
    assert undefined_key({"a": zone}, pod, frozenset()) == "b"
    assert undefined_key({"a": zone}, pod, frozenset({"b"})) == ""
    with pytest.raises(ValueError, match="x"):
        requirement("k", "Gt", ("x",))
