"""Notes about facts in all checks of a fleet: old facts, and lists of one subscription of several."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.catalog.test_refresh import ALL, DAY, H100, RECORDED, fleet
from tests.cli.conftest import Run, run

__all__ = ["run"]
LATER = ("--today", "2027-02-25")
ID = "/subscriptions/{0}/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/{0}"


def notes(run: Run, *words: str) -> list[dict[str, Any]]:
    """The notes that a check of the fleet gives about its facts."""
    results = json.loads(run("validate", "-o", "json", *words).out)["results"]
    return [each for each in results if each["code"] in ("CAT017", "CAT019")]


@pytest.mark.parametrize("command", ["validate", "build"])
def test_old_facts_are_a_note_of_every_check(run: Run, command: str) -> None:
    fleet(H100)
    Path(".gitgpu.yaml").unlink()
    assert "CAT017" not in run(command, "--today", "2026-09-01").out
    # The prices of June are those that were checked in November.
    done = run(command, "--today", "2026-11-01")
    assert "fleet.yaml:3:18: info[CAT017] on 2026-11-01, these facts are older than 90 days: prices of " in done.out
    assert done.code == 0
    assert "CAT017" not in run(command).out


def test_a_refresh_renews_what_the_remedy_names(run: Run) -> None:
    fleet(H100)
    Path(".gitgpu.yaml").unlink()
    (before,) = notes(run, *LATER)
    assert (
        before["help"]
        == "run `gitgpu catalog refresh` for prices and sizes; update gitgpu for Kubernetes versions and regions"
    )
    fleet(H100)
    answers = ("--skus", f"{RECORDED}/skus.json", "--prices", f"{RECORDED}/prices")
    run("catalog", "refresh", *answers, *LATER, "--out", "mine")
    (after,) = notes(run, *LATER)
    assert after["help"] == "update gitgpu for Kubernetes versions and regions"
    assert [" sizes of " in each["message"] for each in (before, after)] == [True, False]


def test_an_old_refresh_is_named(run: Run) -> None:
    fleet(H100)
    run("catalog", "refresh", *ALL, *DAY, "--out", "mine")
    assert "availability of 2026-11-23" in notes(run, *LATER)[0]["message"]


def clusters(*subscriptions: str) -> None:
    """A cluster in the region for each subscription, and one without a subscription that has the pool."""
    fleet(H100)
    text = Path("fleet.yaml").read_text("utf-8")
    for name in subscriptions:
        text += (
            f"---\napiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {{name: c-{name}}}\n"
            f'spec: {{region: swedencentral, kubernetesVersion: "1.35", resourceId: {ID.format(name)}}}\n'
        )
    Path("fleet.yaml").write_text(text, encoding="utf-8")


ONE, OTHER = "0" * 36, "1" * 36


@pytest.mark.parametrize(
    ("subscriptions", "several"), [((ONE,), False), ((ONE, ONE.upper()), False), ((ONE, OTHER), True)]
)
@pytest.mark.parametrize("option", ["--skus", "--usage"])
def test_lists_of_one_subscription_say_nothing_of_several(
    run: Run, subscriptions: tuple[str, ...], option: str, *, several: bool
) -> None:
    clusters(*subscriptions)
    file = f"{RECORDED}/{option.removeprefix('--')}.json"
    run("catalog", "refresh", option, file if option == "--skus" else f"swedencentral={file}", *DAY, "--out", "mine")
    done = run("validate")
    code = "SKU016" if option == "--skus" else "QTA001"
    assert [code in done.out, "CAT019" in done.out] == [not several, several]
    unused = "restrictions, zones and quotas that `gitgpu catalog refresh` wrote for swedencentral are not used"
    assert (f"{unused}: they apply to one subscription, but c-{ONE} and c-{OTHER} belong to 2\n" in done.out) is several
    assert ("cannot use" in run("simulate").out) is (not several and option == "--skus")


def test_the_note_is_at_the_second_subscription(run: Run) -> None:
    clusters(ONE, OTHER)
    run("catalog", "refresh", *ALL, *DAY, "--out", "mine")
    (note,) = notes(run)
    assert (note["line"], note["object"]["name"]) == (29, f"c-{OTHER}")
    assert (
        Path("fleet.yaml").read_text("utf-8").splitlines()[28][note["column"] - 1 :].startswith(f"{ID.format(OTHER)}}}")
    )
    assert f"c-{ONE} and c-{OTHER} belong to 2" in note["message"]
