"""The date option: an announced date before it counts as past; by default the catalog's own date is used."""

from datetime import date, timedelta

from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.text import Text
from gitgpu.model.dates import OLD, days_before, has_begun, known_day, over
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.runs.validate import validate, validate_texts
from tests.helping.cases import for_each
from tests.rules.fleet.examples import BASE, CLOCK, findings, inputs_of

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
CLUSTER = f"{HEAD}Cluster\nmetadata: {{name: prod-swc}}\nspec: {{region: swedencentral, kubernetesVersion: %s}}\n"
POOL = f"{HEAD}GpuPool\nmetadata: {{name: pool}}\nspec: {{clusters: [prod-swc], limits: {{gpus: 8}}, %s}}\n"
ANNOUNCED = "sku: Standard_NC8as_Example_v9"  # retires on 2027-09-30
PLANNED = "sku: Standard_NV12s_v3"  # retires on 2026-09-30, as announced in April 2026
RETIRED = "sku: Standard_NC6s_v3"  # retired on 2025-09-30
T4 = "sku: Standard_NC16as_T4_v3"


def findings_on(today: str, pool: str = T4, kubernetes: str = "1.37") -> tuple[Diagnostic, ...]:
    """The findings of all rules about a pool on a date."""
    text = f"{CLUSTER % repr(kubernetes)}---\n{POOL % pool}"
    return findings(f"{CLOCK}{today}\n{text}" if today else text)


def codes(today: str, pool: str = T4, kubernetes: str = "1.37") -> tuple[str, ...]:
    return tuple(finding.code for finding in findings_on(today, pool, kubernetes))


@for_each(
    ("day", "today", "come", "gone"),
    [
        ("2027-09-30", "2027-09-29", False, False),
        ("2027-09-30", "2027-09-30", True, False),
        ("2027-09-30", "2027-10-01", True, True),
        ("2028-06", "2028-06-30", True, False),  # a month ends when the next one begins
        ("2028-06", "2028-07-01", True, True),
        ("2027-09-30", "", False, False),
        (None, "2027-09-30", False, False),
    ],
)
def test_whether_a_date_has_begun_or_ended(day: str | None, today: str, come: bool, gone: bool) -> None:
    assert (has_begun(day, today), over(day, today)) == (come, gone)


def test_the_first_and_the_last_day_of_the_calendar_are_dates_too() -> None:
    assert codes("0001-01-01") == codes("2000-01-01")
    assert codes("9999-12-31") == codes("2100-01-01")
    assert days_before("0001-01-31", OLD) == "0001-01-01"
    assert days_before("2026-11-30", OLD) == "2026-09-01"


def test_a_date_before_the_row_was_verified_counts_as_the_verification_date() -> None:
    assert known_day({"verified": "2026-11-21"}, "") == "2026-11-21"
    assert known_day({"verified": "2026-11-21"}, "2020-01-01") == "2026-11-21"
    assert known_day({"verified": "2026-11-21"}, "2030-01-01") == "2030-01-01"


@for_each(
    ("today", "pool", "expected"),
    [
        ("", ANNOUNCED, ("SKU002",)),
        ("2027-09-29", ANNOUNCED, ("SKU002",)),
        ("2027-09-30", ANNOUNCED, ("SKU001",)),
        ("", PLANNED, ("SKU001",)),  # the catalog was verified after this date
        ("2026-09-29", PLANNED, ("SKU002",)),  # a plan can still change
        ("2026-09-30", PLANNED, ("SKU001",)),
        ("", RETIRED, ("SKU001",)),
        ("2025-09-29", RETIRED, ("SKU002",)),  # the state on the given date
        ("2027-09-29", "requirements: {gpu: {model: [Example]}}", ()),
        ("2027-09-30", "requirements: {gpu: {model: [Example]}}", ("SKU001",)),
        ("2027-09-30", "requirements: {gpu: {model: [Example, T4]}}", ()),  # another size is available
    ],
)
def test_a_size_is_reported_from_the_day_that_it_retires(today: str, pool: str, expected: tuple[str, ...]) -> None:
    assert codes(today, pool) == expected


def test_a_finding_says_that_its_fact_is_old() -> None:
    (pool,) = inputs_of(f"""{CLUSTER % '"1.37"'}---\n{POOL % RETIRED}""").pools
    day = date.fromisoformat(pool.skus[0].row["asOf"])
    messages = {
        after: findings_on((day + timedelta(days=after)).isoformat(), RETIRED)[0].message for after in (0, 90, 91)
    }
    message = "Azure retired Standard_NC6s_v3 on 2025-09-30"
    assert messages == {0: message, 90: message, 91: f"{message} (a fact of {day})"}
    assert findings_on("", RETIRED)[0].message == message


def test_a_plan_is_reported_as_a_plan() -> None:
    assert findings_on("", PLANNED)[0].message == "Azure planned to retire Standard_NV12s_v3 on 2026-09-30"
    assert findings_on("2026-09-29", PLANNED)[0].message == "Azure plans to retire Standard_NV12s_v3 on 2026-09-30"
    assert findings_on("", RETIRED)[0].message == "Azure retired Standard_NC6s_v3 on 2025-09-30"


@for_each(
    ("today", "kubernetes", "expected"),
    [
        ("", "1.34", ()),
        ("2026-10-31", "1.34", ("CLU007",)),  # ends on 2026-11-30
        ("2026-10-30", "1.34", ()),
        ("2026-11-30", "1.34", ("CLU007",)),
        ("2026-12-01", "1.34", ("CLU003",)),
        ("", "1.33", ("CLU003",)),
        ("2026-01-01", "1.33", ()),  # before its end
        ("", "1.98", ("CLU006",)),
        ("2041-10-31", "1.98", ("CLU006",)),
        ("2041-11-01", "1.98", ()),
    ],
)
def test_a_kubernetes_version_is_reported_from_its_end_of_support(
    today: str, kubernetes: str, expected: tuple[str, ...]
) -> None:
    reported = (finding.code for finding in findings_on(today, "sku: Standard_NC16as_T4_v3", kubernetes))
    assert tuple(code for code in reported if code.startswith("CLU")) == expected


def test_no_remedy_suggests_a_version_without_support() -> None:
    assert findings_on("2026-12-01", kubernetes="1.34")[0].help.endswith("1.35, 1.36, 1.37")
    assert findings_on("", kubernetes="1.33")[0].help.endswith("1.34, 1.35, 1.36, 1.37")
    assert next(finding for finding in findings_on("2040-01-01") if finding.code == "CLU003").help.endswith(
        "a newer one"
    )


@for_each(
    ("today", "image", "kubernetes", "expected"),
    [
        ("", "{family: Ubuntu2204}", "1.36", ()),
        ("2027-06-29", "{family: Ubuntu2204}", "1.36", ()),
        ("2027-07-01", "{family: Ubuntu2204}", "1.36", ("DRV016",)),
        ("2028-04-30", "{family: Ubuntu2204}", "1.36", ("DRV015",)),
        ("2028-04-30", "{family: Ubuntu2404}", "1.36", ()),
        ("2028-04-30", "{family: Ubuntu}", "1.36", ()),
        ("2028-04-30", "{family: Ubuntu}", "1.33", ("DRV015",)),
        ("2028-04-30", "{family: Ubuntu, fips: true}", "1.33", ()),  # it is not known which system this selects
        ("", "{family: AzureLinux}", "1.31", ("DRV015",)),
        ("2025-01-01", "{family: AzureLinux}", "1.31", ("DRV015",)),
    ],
)
def test_a_node_image_is_reported_from_the_day_that_it_ends(
    today: str, image: str, kubernetes: str, expected: tuple[str, ...]
) -> None:
    reported = codes(today, f"{T4}, image: {image}", kubernetes)
    assert tuple(code for code in reported if code in ("DRV015", "DRV016")) == expected


@for_each(
    ("today", "driver", "expected"),
    [
        ("2028-06-30", "aks", False),
        ("2028-07-01", "aks", True),
        ("2028-07-01", "managed", True),
        ("2028-07-01", "operator", False),
        ("2028-07-01", "none", False),
        ("", "aks", False),
    ],
)
def test_a_driver_of_aks_is_reported_from_its_end_of_support(today: str, driver: str, expected: bool) -> None:
    assert ("DRV017" in codes(today, f"{T4}, driver: {driver}")) is expected


def test_the_date_on_the_command_line_is_used_by_every_rule(tmp_path: object) -> None:
    text = "---\n".join((BASE["Fleet"], CLUSTER % "'1.36'", BASE["GpuPool"]))
    path = f"{tmp_path}/fleet.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    options = FleetOptions(today="2027-07-01")
    for checked in (validate([path], options), validate_texts([Text(path, text, path)], options)):
        assert checked.inputs is not None
        assert checked.inputs.today == "2027-07-01"
        assert [diagnostic.code for diagnostic in checked.diagnostics] == ["CLU003", "CAT017"]
    assert validate([path]).diagnostics == ()


def test_an_empty_date_is_invalid() -> None:
    inputs = inputs_of(BASE["GpuPool"])
    assert inputs.today == ""
    assert in_order(fleet_findings(inputs)) == in_order(fleet_findings(inputs._replace(today="2026-11-21")))
