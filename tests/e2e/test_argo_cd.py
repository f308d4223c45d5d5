"""Argo CD: no node or node class that is not ready holds anything; self-heal, and the removal of a pool.

The tests build on each other, in the order of the file.
"""

import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from tests.e2e import argo
from tests.e2e.application import NAME, REFRESH, WAVE, Story, gitgpu, local, pointed
from tests.e2e.client import Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import ROOT, WAVES, identity, kustomize, prepare
from tests.e2e.githost import repository
from tests.e2e.nodes import node
from tests.e2e.processes import until
from tests.e2e.standins import company, condition

STOOD_IN_FOR = (
    "Argo CD: stood in for are Redis (miniredis), argocd-server (the project default, the registered cluster, what its "
    "commands write), the kubelet, and the status that Karpenter, KEDA and the controller of HorizontalPodAutoscalers "
    "write; Applications of charts are not applied"
)
LAB = "  sku: Standard_NC4as_T4_v3\n  limits: {gpus: "  # the pool t4-lab, in the spec
WITHIN = 300  # seconds for Argo CD to do what it has to: a retry comes after 30 s, the next one after 60 s
MINUTE = 60
SICK = {
    "karpenter.sh/nodepool": "t4-lab",
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "nvidia.com/gpu.deploy.operands": "false",
}
POOL: Object = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "t4-lab"}}
MANAGED = "  name: t4-managed\nspec:\n"  # the pool that retires, in the spec
RETIRING: Object = {**POOL, "metadata": {"name": "t4-managed"}}
LEAVING: Object = {**POOL, "metadata": {"name": "t4-share"}}
CLASS: Object = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "t4-lab"}}
PLUGIN: Object = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "nvidia-device-plugin", "namespace": "gpu-resources"},
}
SCALED: dict[str, Object] = {  # what KEDA and the controller of HorizontalPodAutoscalers write once there are metrics
    "ScaledObject": {"conditions": [{"type": "Ready", "status": "True"}]},
    "HorizontalPodAutoscaler": {
        "desiredReplicas": 1,
        "currentReplicas": 1,
        "conditions": [condition("AbleToScale", 1)],
    },
}


@pytest.fixture(scope="module")
def story(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """The example fleet in a repository, and Argo CD pointed at one of its clusters; a sick node is in it."""
    if not shutil.which("go"):
        pytest.skip("Argo CD is built by Go, which is not installed")
    client, folder = cluster.client, tmp_path_factory.mktemp("argo")
    with repository(tmp_path_factory.mktemp("repository")) as served, company(client) as others:
        shutil.copy(ROOT / "fleet.yaml", served.tree)
        gitgpu(served.tree, "build")
        sync = served.tree / "overlays" / NAME / "sync"
        [application] = [local(body, served.url) for body in kustomize(sync) if "sources" in body["spec"]]
        new_story = Story(client, served, others, application)
        others.withheld |= {f"{body['kind']}/{body['metadata']['name']}" for body in new_story.wanted()[1]}
        prepare(client, [body for objects in new_story.wanted() for body in objects])
        served.commit("the example fleet")
        objects = [*argo.settings(argo.built(), sync / "argocd-cm", folder), *argo.registered(NAME, client.url)]
        with (
            node(client, "sick", SICK),
            argo.argo_cd(argo.built(), cluster.kubeconfig, client, folder, objects),
            pointed(client, application),
        ):
            yield new_story


def limit(story: Story) -> str:
    """How many GPUs the pool may have, in the cluster."""
    return str((story.client.get(POOL) or {})["spec"]["limits"]["nvidia.com/gpu"])


def scaled(story: Story) -> None:
    """Writes what KEDA and the controller of HorizontalPodAutoscalers say once they have their metrics."""
    for body in story.ours():
        if body["kind"] in SCALED:
            story.client.merge(body, {"status": SCALED[body["kind"]]}, "/status")


def test_an_unhealthy_node_does_not_block_the_layer(story: Story, proved: Proved) -> None:
    """The pod of the device plugin is never Ready: there is no kubelet."""
    until(lambda: story.client.get(POOL), "the NodePools, in the wave after the DaemonSets", WITHIN)
    plugins = [body["status"] for body in story.ours() if body["kind"] == "DaemonSet"]
    desired = sum(plugin["desiredNumberScheduled"] for plugin in plugins)
    assert desired
    assert not sum(plugin.get("numberAvailable", 0) for plugin in plugins)
    proved(STOOD_IN_FOR)
    proved(f"Argo CD: {desired} pods of DaemonSets are not Ready, and the nodes wave is applied")


def test_node_pools_without_a_status_hold_nothing(story: Story, proved: Proved) -> None:
    """Karpenter has not seen them yet; the operation ends, and the objects of every wave are there."""
    until(lambda: story.operation().get("phase") == "Succeeded", "the sync succeeds", WITHIN)
    wanted = {identity(body) for objects in story.wanted() for body in objects}
    assert wanted <= {identity(body) for body in story.ours()}
    assert story.waves() == [0, 1, 3]
    proved(f"Argo CD: no NodePool has a status, and all {len(wanted)} objects of every wave are there")


def test_waves_are_in_order(story: Story, proved: Proved) -> None:
    """The unchanged objects, by the store version at which they were created."""
    made: dict[int, list[int]] = {}
    for body in story.ours():
        if body["metadata"].get("generation", 1) == 1 and not body.get("status"):
            made.setdefault(int(body["metadata"]["annotations"][WAVE]), []).append(
                int(body["metadata"]["resourceVersion"])
            )
    waves = story.waves()
    stated = {
        layer.name: {int(body["metadata"]["annotations"][WAVE]) for body in layer.objects} for layer in story.layers()
    }
    assert stated == {layer: {WAVES[layer]} for layer in stated}
    assert set(made) == {0, 1, 3}
    for before, after in pairwise(sorted(made)):
        assert max(made[before]) < min(made[after])
    proved(f"Argo CD: waves {', '.join(map(str, waves))} in order")


def test_one_node_class_that_is_not_ready_holds_no_later_commit(story: Story, proved: Proved) -> None:
    story.others.withheld.clear()
    story.others.withheld |= {"NodePool/t4-lab", "AKSNodeClass/t4-lab"}
    for body in (CLASS, POOL):
        no = {**condition("Ready", 1), "status": "False", "message": "withheld by the test"}
        story.client.merge(body, {"status": {"conditions": [no]}}, "/status")
    until(lambda: story.verdict()[1] == "Degraded", "Argo CD sees the fault", WITHIN)
    commit = story.edit({f"{LAB}4}}": f"{LAB}8}}"})
    until(lambda: limit(story) == "8", "a later commit", WITHIN)
    until(lambda: story.operation().get("phase") == "Succeeded", "the sync succeeds", WITHIN)
    assert set(story.operation()["syncResult"]["revisions"]) == {commit}
    assert story.verdict()[1] == "Degraded"
    story.others.withheld.clear()
    proved("Argo CD: one AKSNodeClass is not Ready; the Application is Degraded, and a later commit is applied")


def test_a_fix_is_applied_by_the_next_retry(story: Story, proved: Proved) -> None:
    """It is committed while the operation of the commit before is still being retried.

    If an object is rejected, Argo CD waits for the others of its wave before it fails, so KEDA has its metrics here.
    """
    scaled(story)
    file = story.served.tree / "overlays" / NAME / "nodes" / "nodepool-t4-lab.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("\nspec:\n", "\nspec:\n  weight: 101\n"), encoding="utf-8")
    story.served.commit("a weight that the API server rejects")
    story.annotate(REFRESH, "normal")
    until(lambda: "Retrying attempt" in story.message(), "Argo CD gives up, and will try again", WITHIN)
    commit = story.edit({f"{LAB}8}}": f"{LAB}3}}"})
    until(lambda: limit(story) == "3", "the fix", WITHIN)
    # Before the sync can succeed: Argo CD may start another one after it, which has no retries.
    retries = story.operation().get("retryCount", 0)
    assert retries > 0
    until(lambda: story.operation().get("phase") == "Succeeded", "the sync succeeds", WITHIN)
    assert set(story.operation()["syncResult"]["revisions"]) == {commit}
    proved(f"Argo CD: a commit made while a sync is retried is applied by retry {retries}")


def test_synced_and_healthy(story: Story, proved: Proved) -> None:
    """Once KEDA, and the controller of HorizontalPodAutoscalers, say that they have their metrics."""
    scaled(story)
    story.annotate(REFRESH, "normal")
    until(lambda: story.verdict() == ("Synced", "Healthy"), f"Synced and Healthy; it is {story.verdict()}", WITHIN)
    resources = story.status()["resources"]
    assert len(resources) == sum(map(len, story.wanted()))
    proved(f"Argo CD: {len(resources)} resources Synced, the Application Healthy")


def test_it_stays_synced(story: Story, proved: Proved) -> None:
    """A difference that only the API server or Argo CD sees would show as OutOfSync, or as repeated syncs."""
    before = story.operation()["startedAt"]
    end = time.monotonic() + MINUTE
    while time.monotonic() < end:
        assert story.verdict() == ("Synced", "Healthy"), story.out_of_sync()
        time.sleep(1)
    story.annotate(REFRESH, "hard")
    until(lambda: REFRESH not in story.now()["metadata"].get("annotations", {}), "a refresh", WITHIN)
    assert story.verdict() == ("Synced", "Healthy"), story.out_of_sync()
    assert story.operation()["startedAt"] == before
    proved(f"Argo CD: Synced for {MINUTE} s with self-heal on, no sync in that time, and after a hard refresh")


def test_self_heal_reverts_a_manual_change(story: Story, proved: Proved) -> None:
    story.client.merge(POOL, {"spec": {"limits": {"nvidia.com/gpu": "99"}}})
    until(lambda: limit(story) == "3", "self-heal", WITHIN)
    until(lambda: story.verdict() == ("Synced", "Healthy"), "Synced and Healthy again", WITHIN)
    proved("Argo CD: self-heal takes back a change by hand of a NodePool's limits")


def test_a_removed_pool_blocks_later_commits(story: Story, proved: Proved) -> None:
    """As the how-to says: everything else is applied, then Argo CD asks, and until then it syncs no other commit."""
    at_once = {"clusters: [prod-swc, lab-weu]": "clusters: [prod-swc]", f"{LAB}3}}": f"{LAB}5}}"}
    first = story.edit(at_once, "--allow-removal", f"{NAME}/t4-share")
    until(lambda: story.message().startswith("waiting for pruning confirmation"), "Argo CD asks", WITHIN)
    assert "t4-share" not in str((story.client.get(PLUGIN) or {})["spec"])
    assert limit(story) == "5"
    assert story.client.get(LEAVING)
    later = story.edit({f"{LAB}5}}": f"{LAB}6}}"})
    until(lambda: set(story.status()["sync"]["revisions"]) == {later}, "Argo CD sees a later commit", WITHIN)
    assert set(story.operation()["operation"]["sync"]["revisions"]) == {first}
    assert limit(story) == "5"
    proved("Argo CD: a pool that leaves without retirement holds later commits, after everything else is applied")


def test_a_terminated_operation_lets_the_later_commit_through(story: Story, proved: Proved) -> None:
    """As `argocd app terminate-op` does it; Argo CD then asks again."""
    story.client.merge(story.application, {"status": {"operationState": {"phase": "Terminating"}}})
    until(lambda: limit(story) == "6", "the later commit", WITHIN)
    until(lambda: story.message().startswith("waiting for pruning confirmation"), "Argo CD asks again", WITHIN)
    assert story.client.get(LEAVING)
    proved("Argo CD: to terminate the operation lets a later commit through, and Argo CD asks again")


def test_a_removed_pool_is_deleted_after_the_confirmation(story: Story, proved: Proved) -> None:
    """As `argocd app confirm-deletion` does it."""
    now = datetime.now(UTC)
    story.annotate("argocd.argoproj.io/deletion-approved", now.strftime("%Y-%m-%dT%H:%M:%SZ"))
    until(lambda: not story.client.get(LEAVING), "the NodePool is deleted", WITHIN)
    until(lambda: story.verdict() == ("Synced", "Healthy"), "Synced and Healthy", WITHIN)
    proved("Argo CD: a pool that left is deleted once that is confirmed")


def test_a_retired_pool_is_removed_without_a_confirmation(story: Story, proved: Proved) -> None:
    """Everything else is still synced, as the how-to says."""
    story.edit({MANAGED: f"{MANAGED}  retire: true\n"})
    until(lambda: "Prune=confirm" not in str(story.client.get(RETIRING)), "the pool retires", WITHIN)
    assert set((story.client.get(RETIRING) or {})["spec"]["limits"].values()) == {"0"}
    documents = (story.served.tree / "fleet.yaml").read_text("utf-8").split("---\n")
    [document] = [text for text in documents if MANAGED in text]
    commit = story.edit({f"{document}---\n": ""})
    until(lambda: not story.client.get(RETIRING), "the NodePool is deleted", WITHIN)
    until(lambda: story.verdict() == ("Synced", "Healthy"), "Synced and Healthy", WITHIN)
    # While an operation runs, it has no result.
    until(
        lambda: commit in story.operation().get("syncResult", {}).get("revisions", ()), "its commit is synced", WITHIN
    )
    proved("Argo CD: a pool that has retired is deleted without a question when it leaves")
