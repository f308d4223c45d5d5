"""A pool moves from one provisioner to the other, as the page about it says; its fleet is the one of the page."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, run

__all__ = ["run"]

PAGE = Path(__file__).parents[2] / "docs/how-to/move-a-pool-to-another-provisioner.md"
ID = (
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/gpu/providers/Microsoft.ContainerService/"
    "managedClusters/prod-eus"
)
HEAD = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {{name: moving}}
spec: {{delivery: {{repository: "https://github.com/contoso/fleet"}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-eus}}
spec: {{region: eastus, kubernetesVersion: "1.35", resourceId: {ID}}}
---
"""
[PAGE_FLEET] = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
OLD, NEW, WORK = PAGE_FLEET.split("---\n")
POOLS = {
    "autoscaled to nap": (OLD, NEW),
    "fixed to nap": (
        OLD.replace("cluster-autoscaler", "fixed").replace("{min: 0, max: 6}", "{max: 6}"),
        NEW,
    ),
    "nap to fixed": (
        NEW.replace("t4-nap", "t4"),
        OLD.replace("{name: t4}", "{name: t4-nap}")
        .replace("cluster-autoscaler", "fixed")
        .replace("{min: 0, max: 6}", "{max: 6}"),
    ),
}


def written(*documents: str) -> None:
    """Writes the fleet with these pools and workloads."""
    Path("fleet.yaml").write_text(HEAD + "---\n".join(documents), encoding="utf-8")


def pools(run: Run) -> dict[str, Any]:
    """The plan of each pool of the cluster, by kind and name."""
    report = json.loads(run("plan", "-o", "json").out)
    return {f"{pool['kind']} {pool['name']}": pool for each in report["clusters"] for pool in each["pools"]}


@pytest.mark.parametrize("way", POOLS)
def test_a_pool_moves_without_a_moment_in_which_its_nodes_are_lost(run: Run, way: str) -> None:
    old, new = POOLS[way]
    retired = f"{old}  retire: true\n"
    before, after = WORK.replace("[t4, t4-nap]", "[t4]"), WORK.replace("[t4, t4-nap]", "[t4-nap]")
    written(old, before)
    assert run("build").code == 0
    for step in ((old, new, WORK), (retired, new, WORK)):
        written(*step)
        changes = pools(run)
        assert {change["nodesReplaced"] for change in changes.values()} == {"none"}
        assert not any(change["change"] == "removed" for change in changes.values())
        assert run("build").code == 0
    patch = next(Path("overlays/prod-eus/workloads").rglob("deployment-llm.yaml")).read_text(encoding="utf-8")
    assert "t4nap" in patch or "t4-nap" in patch
    assert "- t4\n" not in patch
    written(new, after)
    assert run("build").code == 0
    assert not list(Path("overlays/prod-eus/nodes").glob("*-t4.yaml"))


def test_changing_the_provisioner_itself_writes_nothing(run: Run) -> None:
    old, before = OLD, WORK.replace("[t4, t4-nap]", "[t4]")
    written(old, before)
    assert run("build").code == 0
    written(NEW.replace("t4-nap", "t4"), before)
    done = run("build")
    assert done.code == 1
    assert "pool t4 gets a different provisioner on prod-eus without being retired" in done.out
    assert "add a pool with a different name" in done.out
    [removed] = [pool for pool in pools(run).values() if pool["change"] == "removed"]
    assert removed["reason"].startswith("its provisioner changes, which makes it another pool")
