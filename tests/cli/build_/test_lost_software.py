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


@pytest.mark.parametrize("selection", ["pools", "labels"])
def test_the_last_pool_of_the_operator_uninstalls_it(run: Run, selection: str) -> None:
    other = SOUND.rpartition("---\n")[2].replace("name: t4", "name: other")
    bare = other.replace("name: other", "name: bare").replace("gpus: 2}}", "gpus: 2}, driver: none}")
    write(f"{selecting(OPERATED, selection)}---\n{other}---\n{bare}")
    run("build")
    write(f"{selecting(SOUND, selection)}---\n{other}---\n{bare}")
    [message] = refused(run)
    assert "pool t4" in message
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


@pytest.mark.parametrize("engine", [str, argocd], ids=["flux", "argocd"])
@pytest.mark.parametrize(("before", "after"), [("pools", "labels"), ("labels", "pools")])
def test_node_feature_discovery_moves_to_another_release(run: Run, engine: type[str], before: str, after: str) -> None:
    """The GPU Operator removes its pods and drivers from nodes without the labels."""
    write(engine(selecting(OPERATED, before)))
    assert run("build").code == 0
    write(engine(selecting(OPERATED, after)))
    [message] = refused(run)
    release = "node-feature-discovery" if after == "labels" else "gpu-operator"
    assert f"moves to the release {release}: nodes can lose its labels" in message
    assert run("build", "--allow-removal", "c1/*").code == 0
    assert run("build").code == 0


def test_node_feature_discovery_moves_while_both_releases_run(run: Run) -> None:
    """As the page about the operator says."""
    kept = "values: {gpu-operator: {nfd: {enabled: true}}}"
    steps = ("nodeSelection: pools", f"nodeSelection: labels, {kept}", "nodeSelection: labels")
    for stack in steps:
        write(OPERATED.replace("kubernetesVersion:", f"stack: {{{stack}}}, kubernetesVersion:"))
        assert run("build").code == 0, stack


UNLABELLED = SOUND.replace("limits: {gpus: 2}}", "limits: {gpus: 2}, operatorOptOut: false}")


def selecting(spec: str, selection: str) -> str:
    """The same fleet, whose DaemonSets select nodes by the names of pools, or by labels."""
    return spec.replace("kubernetesVersion:", f"stack: {{nodeSelection: {selection}}}, kubernetesVersion:")


@pytest.mark.parametrize("azure", ["az", "bicep", "terraform"])
@pytest.mark.parametrize("spec", [SOUND, UNLABELLED, AUTOSCALED], ids=["labelled", "unlabelled", "node pool"])
def test_another_selection_of_the_same_nodes_loses_nothing(run: Run, spec: str, azure: str) -> None:
    text = spec.replace("delivery: {", f"delivery: {{azure: {azure}, ")
    for selection in ("pools", "labels", "pools"):
        write(selecting(text, selection))
        assert "stops on its nodes" not in run("plan").out
        assert run("build").code == 0


@pytest.mark.parametrize("azure", ["az", "bicep", "terraform"])
@pytest.mark.parametrize("spec", [SOUND, UNLABELLED, AUTOSCALED], ids=["labelled", "unlabelled", "node pool"])
def test_nodes_that_a_label_selects_lose_their_software_with_its_last_pool(run: Run, spec: str, azure: str) -> None:
    text = selecting(spec, "labels").replace("delivery: {", f"delivery: {{azure: {azure}, ")
    write(text)
    run("build")
    write(text.replace("sku: Standard_NC16", "driver: none, sku: Standard_NC16"))
    [message] = refused(run)
    assert "DaemonSet nvidia-device-plugin" in message


def test_nodes_that_a_label_selects_keep_their_software_while_another_pool_has_it(run: Run) -> None:
    other = SOUND.rpartition("---\n")[2].replace("name: t4", "name: t4-too")
    text = selecting(SOUND, "labels")
    write(f"{text}---\n{other}")
    run("build")
    write(text.replace("gpus: 2}}", "gpus: 2}, driver: none}") + f"---\n{other}")
    assert "stops on its nodes" not in run("plan").out
    assert run("build").code == 0


def test_nodes_without_the_label_lose_their_software_when_their_pool_gets_it(run: Run) -> None:
    """Running nodes keep the labels that they were created with, until they are replaced."""
    write(selecting(UNLABELLED, "labels"))
    run("build")
    write(selecting(SOUND, "labels"))
    [message] = refused(run)
    assert "DaemonSet nvidia-device-plugin" in message
    write(selecting(SOUND, "pools"))
    assert run("build").code == 0


def test_nodes_with_the_label_keep_their_software_when_their_pool_loses_it(run: Run) -> None:
    """The DaemonSet for the label runs there as long as another pool has the label."""
    other = SOUND.rpartition("---\n")[2].replace("name: t4", "name: t4-too")
    write(f"{selecting(SOUND, 'labels')}---\n{other}")
    run("build")
    write(f"{selecting(UNLABELLED, 'labels')}---\n{other}")
    assert run("build").code == 0
    write(selecting(SOUND, "labels"))
    assert run("build", "--allow-removal", "c1/*").code == 0
    write(selecting(UNLABELLED, "labels"))
    [message] = refused(run)
    assert "DaemonSet nvidia-device-plugin" in message


@pytest.mark.parametrize("azure", ["az", "bicep", "terraform"])
def test_nodes_whose_gpus_aks_manages_lose_nothing_with_a_device_plugin_elsewhere(run: Run, azure: str) -> None:
    other = AUTOSCALED.rpartition("---\n")[2].replace("name: t4", "name: other")
    managed = AUTOSCALED.replace("sku: Standard_NC16", "driver: managed, sku: Standard_NC16")
    text = selecting(managed, "labels").replace("delivery: {", f"delivery: {{azure: {azure}, ")
    write(f"{text}---\n{other}")
    run("build")
    write(f"{text}---\n" + other.replace("sku: Standard_NC16", "driver: none, sku: Standard_NC16"))
    [message] = refused(run)
    assert "pool other" in message


@pytest.mark.parametrize("selection", ["pools", "labels"])
def test_only_nodes_with_amds_gpus_lose_amds_driver(run: Run, selection: str) -> None:
    of_amd = AUTOSCALED.rpartition("---\n")[2].replace("name: t4", "name: amd")
    of_amd = of_amd.replace("Standard_NC16as_T4_v3", "Standard_ND96isr_MI300X_v5")
    text = f"{selecting(AUTOSCALED, selection)}---\n"
    write(text + of_amd.replace("sku:", "driver: operator, sku:"))
    assert run("build").code == 0
    write(text + of_amd.replace("sku:", "driver: none, sku:"))
    [message] = refused(run)
    assert "pool amd" in message
    assert "DaemonSet amdgpu-driver" in message
    assert "HelmRelease amd-gpu-operator" in message
    stopped = "stops on its nodes: HelmRelease/flux-system/amd-gpu-operator: the chart is uninstalled"
    assert run("plan").out.count(stopped) == 1


def test_only_nodes_of_its_manufacturer_lose_an_operator(run: Run) -> None:
    of_amd = AUTOSCALED.rpartition("---\n")[2].replace("name: t4", "name: amd")
    of_amd = of_amd.replace("Standard_NC16as_T4_v3", "Standard_ND96isr_MI300X_v5").replace(
        "sku:", "driver: operator, sku:"
    )
    text = selecting(AUTOSCALED, "labels")
    write(text.replace("sku:", "driver: operator, image: {family: Ubuntu2204}, sku:", 1) + f"---\n{of_amd}")
    assert run("build").code == 0
    write(f"{text}---\n{of_amd}")
    [message] = refused(run)
    assert "pool t4" in message
    assert "HelmRelease gpu-operator" in message
    assert run("plan").out.count("gpu-operator: the chart is uninstalled") == 1
