"""A pool whose driver comes from another source: its running nodes lose their software, so a build fails."""

import json

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import CLUSTER, FLEET, SOUND, tree, write

OPERATED = SOUND.replace("limits: {gpus: 2}}", "limits: {gpus: 2}, driver: operator, image: {family: Ubuntu2204}}")
NONE = SOUND.replace("limits: {gpus: 2}}", "limits: {gpus: 2}, driver: none}")
PINNED = 'kubernetesVersion: "1.36", stack: {versions: {gpu-operator: v26.3.3}}'


def argocd(spec: str) -> str:
    """The same fleet, delivered by Argo CD."""
    return spec.replace("delivery: {", "delivery: {engine: argocd, ")


def refused(run: Run, *options: str) -> list[str]:
    """The messages about lost software. Asserts that nothing is written."""
    before = tree()
    ran = run("build", "-o", "json", *options)
    assert tree() == before
    assert ran.code == 1
    return [found["message"] for found in json.loads(ran.out)["results"] if found["code"] == "OUT012"]


@pytest.mark.parametrize("engine", [str, argocd], ids=["flux", "argocd"])
@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        (SOUND, OPERATED, "DaemonSet nvidia-device-plugin"),
        (SOUND, NONE, "DaemonSet nvidia-device-plugin"),
        (SOUND, SOUND.replace("limits: {gpus: 2}}", "limits: {gpus: 2}, driver: managed}"), "device-plugin"),
    ],
    ids=["aks to operator", "aks to none", "aks to managed"],
)
def test_running_nodes_would_lose_what_offers_their_gpus(
    run: Run, engine: type[str], before: str, after: str, lost: str
) -> None:
    write(engine(before))
    assert run("build").code == 0
    write(engine(after))
    [message] = refused(run)
    assert lost in message
    assert "karpenter.sh/nodepool=t4" in message
    [_] = refused(run, "--check")
    planned = run("plan").out
    assert "stops on its nodes" in planned
    assert lost.rpartition(" ")[2] in planned
    assert run("build", "--allow-removal", "c1/t4").code == 0


def test_the_last_pool_of_the_operator_uninstalls_it(run: Run) -> None:
    write(OPERATED)
    run("build")
    write(SOUND)
    [message] = refused(run)
    assert "HelmRelease gpu-operator" in message
    assert "stops on its nodes: HelmRelease/flux-system/gpu-operator: the chart is uninstalled" in run("plan").out


def test_a_second_pool_is_the_safe_way(run: Run) -> None:
    pool = OPERATED.rpartition("---\n")[2].replace("name: t4", "name: t4-operator")
    for spec in (SOUND, f"{SOUND}---\n{pool}", f"{SOUND.replace('gpus: 2}}', 'gpus: 2}, retire: true}')}---\n{pool}"):
        write(spec)
        assert run("build").code == 0
    write(f"{FLEET}---\n{CLUSTER}---\n{pool}")
    assert run("build").code == 0


def test_other_changes_remove_nothing_from_nodes(run: Run) -> None:
    specs = (
        SOUND,
        SOUND.replace("gpus: 2", "gpus: 4"),
        SOUND.replace("limits:", "taints: [{key: a, effect: NoSchedule}], limits:"),
    )
    for spec in specs:
        write(spec)
        assert run("build").code == 0


def test_nothing_uninstalls_the_operator_with_argo_cd(run: Run) -> None:
    """Nobody prunes sync/, so its Application stays until somebody deletes it."""
    write(argocd(OPERATED))
    run("build")
    write(argocd(SOUND))
    assert run("build").code == 0


@pytest.mark.parametrize(("before", "after"), [("", ", driverBranch: '580'"), (", driverBranch: '580'", "")])
def test_an_older_operator_deletes_all_drivers_when_it_changes_its_mode(run: Run, before: str, after: str) -> None:
    spec = OPERATED.replace('kubernetesVersion: "1.36"', PINNED)
    write(spec.replace("driver: operator", f"driver: operator{before}"))
    assert run("build").code == 0
    write(spec.replace("driver: operator", f"driver: operator{after}"))
    [message] = refused(run)
    assert "driver.nvidiaDriverCRD" in message
    assert run("build", "--allow-removal", "c1/*").code == 0


def test_the_newest_operator_keeps_its_mode(run: Run) -> None:
    for branch in ("", ", driverBranch: '580'", ""):
        write(OPERATED.replace("driver: operator", f"driver: operator{branch}"))
        assert run("build").code == 0


ID = (
    "resourceId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/"
    "Microsoft.ContainerService/managedClusters/c1"
)
AUTOSCALED = SOUND.replace(
    'kubernetesVersion: "1.36"', f'kubernetesVersion: "1.36", provisioner: cluster-autoscaler, {ID}'
)
AUTOSCALED = AUTOSCALED.replace("limits: {gpus: 2}", "nodes: {min: 1, max: 2}")
CLAIMED = AUTOSCALED.replace("provisioner", "stack: {allocation: dra}, provisioner")


@pytest.mark.parametrize("engine", [str, argocd], ids=["flux", "argocd"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CLAIMED, AUTOSCALED),
        (AUTOSCALED, CLAIMED),
        (CLAIMED, CLAIMED.replace("allocation: dra", "allocation: aks-dra")),
    ],
    ids=["claims to counts", "counts to claims", "claims to those of AKS"],
)
def test_a_setting_of_the_whole_cluster_has_no_second_pool_as_its_way(
    run: Run, engine: type[str], before: str, after: str
) -> None:
    write(engine(before))
    assert run("build").code == 0
    write(engine(after))
    found = [each for each in json.loads(run("build", "-o", "json").out)["results"] if each["code"] == "OUT012"]
    for fault in found:
        assert "a pool with a different name" not in fault["help"]
        assert "stack.allocation applies to all pools of the cluster" in fault["help"]
        assert "--allow-removal 'c1/t4'" in fault["help"]
    assert found or engine is argocd  # nothing prunes sync/
    assert run("build", "--allow-removal", "c1/t4").code == 0


def test_a_driver_of_the_whole_cluster_can_be_kept_on_the_pool(run: Run) -> None:
    """The remedy, followed: the pool keeps its driver, a second one has the new one."""
    write(SOUND)
    run("build")
    changed = SOUND.replace('kubernetesVersion: "1.36"', 'kubernetesVersion: "1.36", stack: {driver: managed}')
    write(changed)
    [fault] = [each for each in json.loads(run("build", "-o", "json").out)["results"] if each["code"] == "OUT012"]
    assert fault["help"].startswith("keep driver of this pool as it was, also if stack.driver changes")
    pool = SOUND.rpartition("---\n")[2].replace("name: t4", "name: t4-new")
    write(changed.replace("gpus: 2}}", "gpus: 2}, driver: aks, retire: true}") + f"---\n{pool}")
    assert run("build").code == 0
