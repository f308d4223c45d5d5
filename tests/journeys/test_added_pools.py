"""Pools come and go in a running fleet: no DaemonSet restarts on the nodes of the pools that stay."""

from collections.abc import Mapping
from pathlib import Path

from tests.cli.conftest import Run, run
from tests.journeys.test_moved_pool import HEAD

__all__ = ["run"]

FIXED = "provisioner: fixed, nodes: {max: 1}"
CUT = "sku: Standard_NC24ads_A100_v4, partition: {mig: {profiles: {1g.10gb: 7}}}"
POOLS: Mapping[str, str] = {
    "t4": "sku: Standard_NC16as_T4_v3, limits: {gpus: 4}",
    "h100": "sku: Standard_NC40ads_H100_v5, limits: {gpus: 4}, taints: [{key: team, value: a, effect: NoExecute}]",
    "a10": f"sku: Standard_NV36ads_A10_v5, {FIXED}",
    "spot": "sku: Standard_NC16as_T4_v3, capacity: [spot], limits: {gpus: 4}",
    "sliced": "sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, partition: {timeSlicing: {replicas: 4}}",
    "served": "sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, partition: {mps: {replicas: 4}}",
    "served-by-eight": "sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, partition: {mps: {replicas: 8}}",
    "cut": f"{CUT}, {FIXED}",
    "imported": "sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, operatorOptOut: false",
    "managed": f"sku: Standard_NC24ads_A100_v4, driver: managed, {FIXED}",
    "amd": f"sku: Standard_ND96isr_MI300X_v5, driver: none, devicePlugin: true, {FIXED}",
    "fabric": f"sku: Standard_ND96isr_H100_v5, rdma: shared, {FIXED}",
}


def build(run: Run, names: list[str]) -> dict[str, str]:
    """The DaemonSets of a fleet with these pools, by their file."""
    pools = (
        f"apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {{name: {name}}}\n"
        f"spec: {{clusters: [prod-eus], {POOLS[name]}}}\n"
        for name in names
    )
    Path("fleet.yaml").write_text(HEAD + "---\n".join(pools), encoding="utf-8")
    ran = run("build", "--allow-removal", "*/*")
    assert ran.code == 0, ran.err
    return {path.name: path.read_text() for path in Path("overlays").rglob("daemonset-*.yaml")}


def test_a_pool_that_is_added_restarts_nothing_on_the_nodes_of_others(run: Run) -> None:
    names = list(POOLS)
    before = build(run, names[:1])
    for count in range(2, len(names) + 1):
        after = build(run, names[:count])
        assert {file: after[file] for file in before} == before, names[count - 1]
        before = after


def test_a_pool_that_is_removed_takes_only_its_own_daemon_sets_with_it(run: Run) -> None:
    everything = build(run, list(POOLS))
    for name in POOLS:
        left = build(run, [other for other in POOLS if other != name])
        assert left == {file: everything[file] for file in left}, name


def test_the_plan_speaks_of_no_restart(run: Run) -> None:
    build(run, ["t4"])
    for name in list(POOLS)[1:]:
        added = f"---\napiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {{name: {name}}}\n"
        text = Path("fleet.yaml").read_text(encoding="utf-8")
        with Path("fleet.yaml").open("a", encoding="utf-8") as file:
            file.write(f"{added}spec: {{clusters: [prod-eus], {POOLS[name]}}}\n")
        ran = run("plan")
        assert f"pool {name}: new" in ran.out or f"node pool {name}: it is new" in ran.out
        said = [line for line in ran.out.splitlines() if " restart" in line and "no pod restarts" not in line]
        assert said == [], name
        Path("fleet.yaml").write_text(text, encoding="utf-8")
