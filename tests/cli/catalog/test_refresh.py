"""`gitgpu catalog refresh`: recorded output as rows, what the rows change, and files that are rejected."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Ran, Run, run

__all__ = ["run"]
RECORDED = Path(__file__).parents[2] / "journeys/recorded"
A100, T4, H100 = "Standard_NC24ads_A100_v4", "Standard_NC16as_T4_v3", "Standard_ND96isr_H100_v5"
DAY = ("--today", "2026-11-23")
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet.yaml]\ncatalog: [mine]\n"
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso}
spec: {delivery: {engine: flux, repository: https://github.com/contoso/fleet, path: overlays}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.35"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: gpu}
spec: {clusters: [prod-swc], sku: SIZE, ZONES limits: {gpus: 16}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: app, namespace: apps}
spec: {target: {kind: Deployment, name: app}, pools: [gpu], gpus: 1}
"""
Refresh = Callable[..., Ran]
ALL = (
    "--skus", f"{RECORDED}/skus.json", "--prices", f"{RECORDED}/prices", "--usage", f"{RECORDED}/usage.json",
    "--versions", f"{RECORDED}/versions.json", "--charts", f"{RECORDED}/index.yaml",
)  # fmt: skip


def fleet(size: str, more: str = "") -> None:
    """A fleet with one pool of a size, and the configuration that names the directory of the refresh."""
    Path("fleet.yaml").write_text(FLEET.replace("SIZE", size).replace("ZONES ", more), encoding="utf-8")
    Path(".gitgpu.yaml").write_text(CONFIG, encoding="utf-8")


@pytest.fixture
def refresh(run: Run) -> Refresh:
    """Runs the refresh into the directory `mine`."""
    return lambda *words: run("catalog", "refresh", *words, "--out", "mine")


def recorded(name: str) -> Any:
    """A recorded response."""
    return json.loads((RECORDED / name).read_text("utf-8"))


def row(path: str) -> Any:
    """A written row."""
    return yaml.load(Path("mine", path).read_text("utf-8"), yaml.CSafeLoader)


def files() -> dict[str, str]:
    """Every row with its text."""
    return {str(path): path.read_text("utf-8") for path in sorted(Path("mine").rglob("*")) if path.is_file()}


def test_the_rows_hold_what_differs(refresh: Refresh, snapshot: SnapshotAssertion) -> None:
    done = refresh(*ALL, *DAY)
    assert (done.code, done.err) == (0, "mine: 5 written, 0 removed, 0 unchanged\n")
    assert (done.out, files()) == snapshot


def test_the_same_answers_write_nothing(refresh: Refresh) -> None:
    refresh(*ALL, *DAY)
    before = files()
    again = refresh(*ALL, "--today", "2026-12-20")
    assert (again.out, again.err) == ("", "mine: 0 written, 0 removed, 5 unchanged\n")
    assert files() == before


def test_a_row_that_is_a_month_old_gets_a_new_date(refresh: Refresh) -> None:
    refresh(*ALL, *DAY)
    assert refresh(*ALL, "--today", "2026-12-23").out == ""
    assert {row(f"{kind}/swedencentral.yaml")["verified"] for kind in ("prices", "availability")} == {"2026-12-23"}


def test_a_dry_run_writes_nothing(refresh: Refresh) -> None:
    dry = refresh(*ALL, *DAY, "--dry-run")
    assert dry.err == "mine: 5 written, 0 removed, 0 unchanged (dry run)\n"
    assert not Path("mine").exists()
    assert dry.out == refresh(*ALL, *DAY).out


def test_keys_and_comments_of_the_user_stay(refresh: Refresh) -> None:
    refresh(*ALL, *DAY)
    path = Path("mine/prices/swedencentral.yaml")
    text = path.read_text("utf-8")
    text = text.replace("onDemand:", "# ask Ada\nonDemand:").replace("source:", "notes:\n# two\n- of ours\nsource:")
    path.write_text(f"{text}# the end\n", encoding="utf-8")
    pages = recorded("prices/1.json")
    pages["Items"][0]["retailPrice"] = 6.5
    pages["NextPageLink"] = None
    Path("page.json").write_text(json.dumps(pages), encoding="utf-8")
    refresh("--prices", "page.json", *DAY)
    changed = text.replace(f"{A100}: 5.25", f"{A100}: 6.5").replace(f"  {T4}: 0.41\n", "")
    assert path.read_text("utf-8") == f"{changed}# the end\n"


def test_a_row_of_the_user_is_left_alone_and_adds_up_in_another_directory(refresh: Refresh, run: Run) -> None:
    dated = "source: [https://a.b]\nverified: '2026-11-20'\n"
    own = f"name: swedencentral\nextends: gitgpu\nonDemand: {{{T4}: 0.9}}\n{dated}"
    path = Path("mine/prices/swedencentral.yaml")
    path.parent.mkdir(parents=True)
    path.write_text(own, encoding="utf-8")
    err = refresh(*ALL, *DAY).err
    note = "mine/prices/swedencentral.yaml: info[CAT015] was not changed: `gitgpu catalog refresh` did not write it\n"
    remedy = "move it to a directory that comes later in `catalog`, so that it adds to the refreshed row"
    assert f"{note}  = help: {remedy}\n" in err
    assert path.read_text("utf-8") == own
    path.rename("kept.yaml")
    refresh(*ALL, *DAY)
    Path("ours/prices").mkdir(parents=True)
    Path("kept.yaml").rename("ours/prices/swedencentral.yaml")
    Path(".gitgpu.yaml").write_text(CONFIG.replace("[mine]", "[mine, ours]"), encoding="utf-8")
    prices = {
        size: json.loads(run("sku", "show", size, "-o", "json").out)["sku"]["prices"]["swedencentral"]
        for size in (A100, T4)
    }
    assert prices == {A100: 5.25, T4: 0.9}


def test_what_is_as_in_the_catalog_again_is_removed(refresh: Refresh) -> None:
    refresh(*ALL, *DAY)
    pages = recorded("prices/1.json")
    pages["Items"][0]["retailPrice"] = 4.775
    pages["NextPageLink"] = None
    Path("page.json").write_text(json.dumps(pages), encoding="utf-8")
    skus = [entry | {"capabilities": []} for entry in recorded("skus.json")]
    Path("skus.json").write_text(json.dumps(skus), encoding="utf-8")
    index = (RECORDED / "index.yaml").read_text("utf-8").replace("v26.7.1", "v26.6.9")
    Path("index.yaml").write_text(index, encoding="utf-8")
    done = refresh("--prices", "page.json", "--skus", "skus.json", "--charts", "index.yaml", *DAY)
    assert done.err.endswith("mine: 1 written, 3 removed, 1 unchanged\n")
    assert "onDemand" not in row("prices/swedencentral.yaml")
    assert sorted(path.name for path in Path("mine").glob("*/*")) == ["swedencentral.yaml", "swedencentral.yaml"]


def test_a_price_changes_what_simulate_and_plan_say(refresh: Refresh, run: Run) -> None:
    fleet(A100)
    Path(".gitgpu.yaml").unlink()
    before = run("simulate").out, run("plan").out
    assert ("4.78" in before[0], "76.4" in before[1]) == (True, True)
    refresh(*ALL, *DAY)
    Path(".gitgpu.yaml").write_text(CONFIG, encoding="utf-8")
    after = run("simulate").out, run("plan").out
    assert ("5.25" in after[0], "84" in after[1]) == (True, True)


def test_a_spot_price_is_what_simulate_counts(refresh: Refresh, run: Run) -> None:
    fleet(T4, "capacity: [spot], ")
    refresh(*ALL, *DAY)
    assert "  0.41" in run("simulate").out
    assert "  0.30" in run("simulate", "--spot-price", f"{T4}=0.30").out


def test_a_withdrawn_zone_is_a_finding(refresh: Refresh, run: Run) -> None:
    fleet(A100, "zones: [3], ")
    refresh(*ALL, *DAY)
    done = run("validate")
    assert done.code == 1
    assert f"SKU006] swedencentral (prod-swc) has no {A100} in the zones that the pool requires" in done.out


def test_a_restricted_size_is_a_finding_and_never_starts(refresh: Refresh, run: Run) -> None:
    fleet(H100)
    refresh(*ALL[:2], *DAY)
    reported = run("validate")
    assert f"SKU016] the subscription cannot use {H100} in swedencentral (prod-swc), as Azure listed on" in reported.out
    assert f"pool gpu: the subscription cannot use {H100} in swedencentral" in run("simulate").out


def test_a_size_that_is_listed_needs_no_price(refresh: Refresh, run: Run) -> None:
    """Azure lists no price for NC8ads_A10_v4 in the region, but the list of sizes has it."""
    fleet("Standard_ND40rs_v2")
    assert "SKU016" in run("validate", "--config", os_null()).out
    skus = recorded("skus.json")
    skus[2] |= {"name": "standard_nd40rs_v2", "locations": ["Sweden Central"], "capabilities": []}
    skus[2]["locationInfo"][0]["location"] = "SwedenCentral"
    Path("skus.json").write_text(json.dumps({"value": skus}), encoding="utf-8")
    refresh("--skus", "skus.json", *DAY)
    assert row("availability/swedencentral.yaml")["sizes"]["listed"]["Standard_ND40rs_v2"]["zones"] == ["1", "2"]
    assert "SKU016" not in run("validate").out


def os_null() -> str:
    """A configuration without a catalog."""
    Path("empty.yaml").write_text("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n", encoding="utf-8")
    return "empty.yaml"


def test_quotas_and_versions_are_findings(refresh: Refresh, run: Run) -> None:
    fleet(H100)
    Path("fleet.yaml").write_text(Path("fleet.yaml").read_text("utf-8").replace('"1.35"', '"1.36"'), encoding="utf-8")
    refresh(
        "--usage",
        f"swedencentral={RECORDED}/usage.json",
        "--versions",
        f"Sweden Central={RECORDED}/versions.json",
        *DAY,
    )
    reported = run("validate").out
    assert "fleet.yaml:9:16: error[QTA001] the quota of standardNDSH100v5Family is 0 in swedencentral" in reported
    assert "warning[CLU006] Kubernetes 1.36 is a preview in swedencentral" in reported
    assert "set a version that AKS supports: 1.34, 1.35" in reported


def test_the_quotas_of_a_subscription_say_nothing_of_several(refresh: Refresh, run: Run) -> None:
    fleet(H100)
    text = Path("fleet.yaml").read_text("utf-8")
    for name in ("a", "b"):
        identifier = (
            f"/subscriptions/{name}/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/{name}"
        )
        text += (
            f"---\napiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {{name: {name}}}\n"
            f'spec: {{region: swedencentral, kubernetesVersion: "1.35", resourceId: {identifier}}}\n'
        )
    Path("fleet.yaml").write_text(text, encoding="utf-8")
    refresh("--usage", f"swedencentral={RECORDED}/usage.json", *DAY)
    assert "QTA001" not in run("validate").out


def test_a_size_shows_what_was_refreshed(refresh: Refresh, run: Run) -> None:
    fleet(H100)
    plain = run("sku", "show", A100).out
    refresh(*ALL, *DAY)
    added = [line for line in run("sku", "show", A100).out.splitlines() if line not in plain.splitlines()]
    dated, *new = added  # the list of this region is newer than the others
    assert dated.startswith("price per hour: $")
    assert dated.endswith(" on demand, prices of 2026-06-18 to 2026-11-23")
    assert new == [
        "spot price per hour: $1.050 (swedencentral), prices of 2026-11-23",
        "for the subscription:",
        "  swedencentral: zones 1, 2",
    ]
    restricted = "for the subscription:\n  swedencentral: no: NotAvailableForSubscription\n"
    assert restricted in run("sku", "show", H100).out
    shown = json.loads(run("sku", "show", A100, "-o", "json").out)["sku"]
    assert (shown["spotPrices"], shown["restrictions"]) == ({"swedencentral": 1.05}, {"swedencentral": None})
    listed = {
        line.split()[0]: line.split() for line in run("sku", "list", "--region", "swedencentral").out.splitlines()
    }
    assert ("SPOT" in listed["NAME"], "1.050" in listed[A100], "restricted" in listed[H100]) == (True, True, True)
    differing = json.loads(run("sku", "compare", A100, H100, "-o", "json").out)["differences"]
    assert not {"spotPrices", "restrictions"} & {each["fact"] for each in differing}
