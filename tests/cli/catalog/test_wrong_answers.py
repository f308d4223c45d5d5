"""Files that do not match their option: a finding with its location, and nothing is written."""

import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Run, run

__all__ = ["run"]
RECORDED = Path(__file__).parents[2] / "journeys/recorded"
DAY = ("--today", "2026-11-23")
SKUS = (RECORDED / "skus.json").read_text("utf-8")
PAGE = (RECORDED / "prices/1.json").read_text("utf-8")
USAGE = (RECORDED / "usage.json").read_text("utf-8")
INDEX = (RECORDED / "index.yaml").read_text("utf-8")
VERSIONS = (RECORDED / "versions.json").read_text("utf-8")
TABLE = "Name                  Zones\n--------------------  -------\nStandard_NC4as_T4_v3  1\n"
CLUSTERS = json.dumps([{"name": "prod", "location": "swedencentral", "agentPoolProfiles": []}], indent=2)


def doubled(text: str, old: str, new: str) -> str:
    """The items twice, the second time with a different value."""
    return f"{text}{text.replace(old, new)}"


WRONG = {
    "truncated": ("--skus", SKUS[:3000]),
    "truncated page": ("--prices", PAGE[: PAGE.index('"NextPageLink"')]),
    "table": ("--skus", TABLE),
    "yaml": ("--skus", "- name: Standard_NC4as_T4_v3\n"),
    "empty": ("--skus", ""),
    "empty list": ("--skus", "[]\n"),
    "no gpu size": ("--skus", json.dumps(json.loads(SKUS)[:2])),
    "clusters": ("--skus", CLUSTERS),
    "other file": ("--skus", PAGE),
    "web page": ("--prices", "<!DOCTYPE html><html><body>Service unavailable</body></html>\n"),
    "an error": ("--prices", '{"error": {"code": "AuthorizationFailed"}}'),
    "scalar": ("--prices", "[1, 2]"),
    "euros": ("--prices", PAGE.replace('"currencyCode": "USD"', '"currencyCode": "EUR"')),
    "no items": ("--prices", '{"Items": [], "NextPageLink": null, "Count": 0}'),
    "only Windows": ("--prices", PAGE.replace("Series", "Series Windows")),
    "price of words": ("--prices", PAGE.replace('"retailPrice": 5.25', '"retailPrice": "5.25"')),
    "two prices": ("--prices", doubled(PAGE, '"retailPrice": 5.25', '"retailPrice": 5.5')),
    "two lists": ("--skus", doubled(SKUS, '"zones": [\n            "3"', '"zones": [\n            "2"')),
    "two quotas": ("--usage", doubled(USAGE, '"limit": 500', '"limit": 501')),
    "usage of nothing": ("--usage", "[]"),
    "skus as usage": ("--usage", SKUS),
    "old versions": ("--versions", '{"orchestrators": [{"orchestratorVersion": "1.20.7"}]}'),
    "odd versions": ("--versions", VERSIONS.replace('"1.34.8"', '"latest"')),
    "no versions": ("--versions", '{"values": []}'),
    "no index": ("--charts", "apiVersion: v2\nname: gpu-operator\n"),
    "broken index": ("--charts", "apiVersion: v1\nentries:\n  gpu-operator:\n  - version: [\n"),
    "no index at all": ("--charts", " \n"),
    "index of other charts": ("--charts", INDEX.replace("gpu-operator", "web")),
    "index without versions": ("--charts", INDEX.replace(" version:", " release:")),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_a_finding_with_its_place(run: Run, snapshot: SnapshotAssertion, name: str) -> None:
    option, text = WRONG[name]
    Path("file.json").write_text(text, encoding="utf-8")
    region = "swedencentral=" if option in ("--usage", "--versions") else ""
    sound = ("--prices", f"{RECORDED}/prices/2.json")
    done = run("catalog", "refresh", option, f"{region}file.json", *sound, *DAY, "--out", "mine")
    assert (done.code, done.out, Path("mine").exists()) == (2, "", False)
    assert done.err == snapshot


def page(skip: int | None, count: int = 5, name: str = "swedencentral") -> str:
    """A page of prices that says that the one after it begins at an item."""
    last = json.loads((RECORDED / "prices/2.json").read_text("utf-8"))
    link = f"https://prices.azure.com:443/api/retail/prices?$filter=armRegionName%20eq%20%27{name}%27&$skip={skip}"
    return json.dumps(last | {"NextPageLink": link if skip else None, "Count": count})


@pytest.mark.parametrize(
    ("pages", "missing"),
    [
        ([(5,), (None,)], []),
        ([(None,)], []),
        ([(5,), (10,), (None, 3)], []),
        ([(5,), (None,), (5, 5, "westeurope"), (None,)], []),
        ([(5, 5000), (None,)], []),  # the items of all pages, in the first one
        ([(5,)], ["after"]),
        ([(10,), (None,)], ["before"]),
        ([(5,), (15,), (None,)], ["before"]),
        ([(5,), (10,)], ["after"]),
        ([(5,), (5, 5, "westeurope"), (None,)], ["after", "after"]),
    ],
)
def test_a_page_that_is_missing_is_a_fault(run: Run, pages: list[tuple[int]], missing: list[str]) -> None:
    Path("pages").mkdir()
    for number, each in enumerate(pages):
        Path(f"pages/{number}.json").write_text(page(*each), encoding="utf-8")
    done = run("catalog", "refresh", "--prices", "pages", *DAY, "--out", "mine")
    assert [f"prices {side} this page is missing" in done.err for side in ("before", "after")] == [
        side in missing for side in ("before", "after")
    ]
    assert (done.err.count("error[CAT020]"), done.code, Path("mine").exists()) == (
        len(missing),
        2 if missing else 0,
        not missing,
    )


def test_every_wrong_file_is_reported(run: Run) -> None:
    Path("a.json").write_text("[", encoding="utf-8")
    Path("b.json").write_text("[]", encoding="utf-8")
    done = run(
        "catalog", "refresh", "--skus", "a.json", "--prices", "b.json", "--charts", "no.yaml", *DAY, "--out", "mine"
    )
    assert [line.partition(":")[0] for line in done.err.splitlines()[::3]] == ["a.json", "b.json", "no.yaml"]


UNDATED = 'pass the date on which the files were fetched: --today "$(date +%F)"'


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        ((), "pass at least one of --skus"),
        (("--skus", "a.json"), UNDATED),
        (("--prices", "a.json"), UNDATED),
        (("--usage", "swedencentral=a.json"), UNDATED),
        (("--versions", "swedencentral=a.json"), UNDATED),
        (("--skus", "a.json", "--today", "today"), "'today' is not a date"),
        (("--usage", "a.json", *DAY), "the file does not contain a region: --usage REGION=a.json"),
        (("--usage", "swedencentral=", *DAY), "'swedencentral=' is not REGION=FILE"),
        (("--versions", "=a.json", *DAY), "'=a.json' is not REGION=FILE"),
        (("--usage", "swedencentrl=a.json", *DAY), "did you mean swedencentral?"),
        (("--prices", "empty", *DAY), "empty contains no file that ends in .json"),
    ],
)
def test_a_command_line_that_is_not_valid(run: Run, words: tuple[str, ...], reported: str) -> None:
    Path("a.json").write_text("[]", encoding="utf-8")
    Path("empty").mkdir()
    done = run("catalog", "refresh", *words, "--out", "mine")
    assert (done.code, done.out) == (2, "")
    assert reported in " ".join(done.err.split())


def test_the_directory_is_named_by_the_configuration_or_an_option(run: Run) -> None:
    words = ("catalog", "refresh", "--skus", f"{RECORDED}/skus.json", *DAY)
    assert "pass --out DIR, and add the directory to `catalog` in .gitgpu.yaml" in run(*words).err
    config = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [one, two]\n"
    Path(".gitgpu.yaml").write_text(config, encoding="utf-8")
    assert "`catalog` names several directories; choose one with --out one" in run(*words).err
    Path(".gitgpu.yaml").write_text(config.replace("one, two", "one"), encoding="utf-8")
    assert run(*words).code == 0
    assert Path("one/availability/swedencentral.yaml").is_file()


def test_what_the_catalog_does_not_have_is_passed_over(run: Run) -> None:
    skus = json.loads(SKUS)
    skus[2]["name"] = "Standard_NC999_Z9_v9"
    skus[3]["locations"] = ["marscentral"]
    skus[3]["locationInfo"][0]["location"] = "marscentral"
    Path("skus.json").write_text(json.dumps(skus, indent=2), encoding="utf-8")
    index = (RECORDED / "index.yaml").read_text("utf-8").replace("v26.7.0", "v25.1.0")
    Path("index.yaml").write_text(index, encoding="utf-8")
    done = run("catalog", "refresh", "--skus", "skus.json", "--charts", "index.yaml", *DAY, "--out", "mine")
    assert done.code == 0
    assert done.err.splitlines()[:-1:3] == [
        (
            "index.yaml:1:1: info[CAT016] has the chart of gpu-operator, but not the release that the catalog has, and "
            "was skipped"
        ),
        "skus.json:98:3: info[CAT016] the size Standard_NC999_Z9_v9 is not in the catalog and was skipped",
        "skus.json:237:5: info[CAT016] the region marscentral is not in the catalog and was skipped",
    ]
    remedies = [line.partition("= help: ")[2] for line in done.err.splitlines() if "= help: " in line]
    assert remedies == [
        "pass the index of the repository in the catalog",
        "update gitgpu; or describe the size in your own catalog, with a row for its GPU",
        "update gitgpu; or describe the region in your own catalog",
    ]
    assert not Path("mine/published").exists()
    assert "NC999" not in "".join(path.read_text("utf-8") for path in Path("mine").rglob("*.yaml"))


def test_ten_thousand_sizes_are_read(run: Run) -> None:
    """`az vm list-skus --all` of every region; each entry is read once, and only those of GPU sizes are kept."""
    skus = json.loads(SKUS)
    entry = json.dumps(skus[1])
    text = f"[{','.join([entry] * 10_000)},{json.dumps(skus[2])}]"
    Path("skus.json").write_text(text, encoding="utf-8")
    assert run("catalog", "refresh", "--skus", "skus.json", *DAY, "--out", "mine").code == 0


def test_a_file_that_cannot_be_written_is_a_fault(run: Run) -> None:
    Path("mine").write_text("x", encoding="utf-8")
    done = run("catalog", "refresh", "--skus", f"{RECORDED}/skus.json", *DAY, "--out", "mine")
    assert (done.code, done.out) == (2, "")
    assert "mine/availability/swedencentral.yaml: " in done.err


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--prices", PAGE.replace("5.25", "NaN")),
        ("--prices", PAGE.replace("5.25", "1e999")),
        ("--skus", SKUS.replace('"220"', '"nan"').replace('"StandardNCADSA100v4Family"', '"\\ud800"')),
        ("--skus", SKUS.replace('"NotAvailableForSubscription"', '"\\u0007: [x"').replace('"3"', '"3\\n- x"')),
        ("--skus", SKUS.replace('"swedencentral"', '"../../x"')),
        ("--skus", SKUS.replace('"zones": [', '"zones": [1, null, ')),
        ("--skus", SKUS.replace('"restrictions": []', '"restrictions": [1, {"values": "x"}]')),
        ("--usage", USAGE.replace("500", "9" * 5000)),
        ("--usage", USAGE.replace('"cores"', "[]")),
        ("--versions", VERSIONS.replace('"KubernetesOfficial"', '"\\ud800"')),
        ("--versions", VERSIONS.replace('{\n      "upgrades": []\n    }', "7")),
        ("--charts", INDEX.replace('created: "2026-11-20T10', 'created: "x')),
        ("--charts", INDEX.replace("  - apiVersion: v2\n    appVersion: v26.11", "  - 7\n  - appVersion: [v26.11")),
        ("--charts", '{"entries": {"gpu-operator": {"a": 1}, "keda": null}}'),
        ("--charts", "entries:\n  gpu-operator:\n  keda:\n"),
    ],
)  # fmt: skip
def test_unexpected_values_never_lead_to_an_unreadable_row(run: Run, option: str, text: str) -> None:
    """What is written can be read again; what cannot be is a fault, and then nothing is written."""
    Path("file.json").write_text(text, encoding="utf-8")
    region = "swedencentral=" if option in ("--usage", "--versions") else ""
    done = run("catalog", "refresh", option, f"{region}file.json", *DAY, "--out", "mine")
    assert Path("mine").exists() is (done.code == 0 and "mine: 0 written" not in done.err)
    config = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
    Path(".gitgpu.yaml").write_text(f"{config}catalog: [mine]\n" if Path("mine").exists() else config, encoding="utf-8")
    assert run("sku", "show", "Standard_NC24ads_A100_v4").code == 0


def test_a_file_without_a_region_is_for_the_only_known_region_of_the_others(run: Run) -> None:
    skus = json.loads(SKUS)
    skus[3]["locations"] = ["marscentral"]
    skus[3]["locationInfo"][0]["location"] = "marscentral"
    Path("skus.json").write_text(json.dumps(skus), encoding="utf-8")
    words = ("--skus", "skus.json", "--usage", f"{RECORDED}/usage.json", *DAY, "--out", "mine")
    assert run("catalog", "refresh", *words).code == 0
    assert "500" in "".join(path.read_text("utf-8") for path in Path("mine").rglob("swedencentral.yaml"))


def test_rows_that_cannot_be_read_again_are_not_written(run: Run) -> None:
    words = ("catalog", "refresh", "--skus", f"{RECORDED}/skus.json", "--out", "mine")
    assert run(*words, *DAY).code == 0
    row = Path("mine/availability/swedencentral.yaml")
    row.write_text(f"{row.read_text('utf-8')}nothing: 1\n", encoding="utf-8")
    before = row.read_text("utf-8")
    for more in ((), ("--dry-run",)):
        done = run(*words, "--today", "2027-06-30", *more)
        assert (done.code, done.out, row.read_text("utf-8")) == (2, "", before)
        assert done.err.startswith("mine/availability/swedencentral.yaml:")


def test_another_directory_of_the_configuration_must_exist(run: Run) -> None:
    config = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [mine, gone]\n"
    Path(".gitgpu.yaml").write_text(config, encoding="utf-8")
    words = ("catalog", "refresh", "--skus", f"{RECORDED}/skus.json", *DAY, "--out", "mine")
    assert (run(*words).code, Path("mine").exists()) == (2, False)
    Path(".gitgpu.yaml").write_text(config.replace(", gone", ""), encoding="utf-8")
    assert run(*words).code == 0


def test_an_index_has_its_own_date(run: Run) -> None:
    assert run("catalog", "refresh", "--charts", f"{RECORDED}/index.yaml", "--out", "mine").code == 0
    Path("index.yaml").write_text(re.sub("(?m)^generated: .*$", "", INDEX), encoding="utf-8")
    done = run("catalog", "refresh", "--charts", "index.yaml", "--out", "mine")
    assert (done.code, "--today" in done.err) == (2, True)
