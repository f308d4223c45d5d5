"""A plan names the workloads that a changed quota no longer admits."""

import pytest

from gitgpu.compare.cluster import ClusterChange
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import NO_MANIFESTS, read_manifests
from gitgpu.runs.baseline import baseline_of
from gitgpu.runs.build import build
from gitgpu.runs.plan import PlanOptions, plan_build
from gitgpu.runs.validate import link_fleet

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: demo}
spec: {delivery: {repository: https://github.com/contoso/gpu-fleet}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod}
spec: {region: swedencentral, kubernetesVersion: "1.34", stack: {queues: kueue, metrics: {scrape: none}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec: {clusters: [prod], sku: Standard_ND96isr_H100_v5, limits: {gpus: 64}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuTeam
metadata: {name: research}
spec:
  namespaces: [research]
  quota: [{pool: h100, gpus: 32}]
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: research}
spec: {pools: [h100], target: {kind: Deployment, name: chat}, gpus: 8}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: train, namespace: research}
spec: {pools: [h100], target: {kind: Job, name: train}, gpus: 8}
"""
WORKLOADS = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: research}
spec:
  replicas: 3
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec: {containers: [{name: chat, image: "contoso.azurecr.io/chat:1"}]}
"""


def planned(after: str, workloads: str, before: str = FLEET) -> tuple[ClusterChange, ...]:
    was, now = (build(link_fleet([Text("fleet.yaml", text, "fleet.yaml")])) for text in (before, after))
    assert now.checked.inputs
    manifests = read_manifests([Text("apps.yaml", workloads, "apps.yaml")]) if workloads else NO_MANIFESTS
    plan, _ = plan_build(
        baseline_of(was, "before"), now, now.checked.inputs, ["prod"], PlanOptions(workloads=manifests)
    )
    return plan.clusters


@pytest.mark.parametrize(
    ("change", "workloads", "lost"),
    [
        (("gpus: 32}", "gpus: 16}"), WORKLOADS, {"Deployment/research/chat": (2, 3), "Job/research/train": (0, 1)}),
        (("gpus: 32}", "gpus: 24}"), WORKLOADS, {"Job/research/train": (0, 1)}),
        (("gpus: 32}", "gpus: 16}"), "", {}),  # of one pod each, both are admitted
        (("gpus: 32}", "gpus: 40}"), WORKLOADS, {}),
        (("gpus: 64", "gpus: 32"), WORKLOADS, {}),
    ],
)
def test_who_loses_admission(change: tuple[str, str], workloads: str, lost: dict[str, tuple[int, int]]) -> None:
    [cluster] = planned(FLEET.replace(*change), workloads)
    said = {effect.object: effect.text for effect in cluster.effects if "Kueue admits" in effect.text}
    assert {name: text.partition(",")[0] for name, text in said.items()} == {
        name: f"Kueue admits {now} of {total} pod{'s' if total > 1 else ''}" for name, (now, total) in lost.items()
    }


@pytest.mark.parametrize(
    ("change", "workloads", "refused"),
    [
        (("gpus: 32}", "gpus: 16}"), WORKLOADS, "request up to 32 nvidia.com/gpu, and it allows 16: new pods of"),
        (("gpus: 32}", "gpus: 40}"), WORKLOADS, ""),
        (("gpus: 32}", "gpus: 31}"), WORKLOADS, "Deployment chat and Job train above it are refused; what runs stays"),
        (("gpus: 32}", "gpus: 16}"), "", ""),  # of one pod each, both get theirs
    ],
)
def test_whose_pods_a_resource_quota_refuses(change: tuple[str, str], workloads: str, refused: str) -> None:
    plain = FLEET.replace("queues: kueue, ", "")
    [cluster] = planned(plain.replace(*change), workloads, plain)
    said = [effect for effect in cluster.effects if "are refused; what runs stays" in effect.text]
    assert [effect.object for effect in said] == ["ResourceQuota/research/research"] * bool(refused)
    assert all(refused in effect.text for effect in said)


def test_a_quota_that_was_exceeded_before_is_not_repeated() -> None:
    plain = FLEET.replace("queues: kueue, ", "").replace("gpus: 32}", "gpus: 24}")
    [cluster] = planned(plain.replace("gpus: 24}", "gpus: 16}"), WORKLOADS, plain)
    assert not [effect for effect in cluster.effects if "the workloads of its namespace" in effect.text]


@pytest.mark.parametrize("stack", ["queues: kueue, ", ""])
def test_the_gpus_of_a_patch_for_another_container_are_not_counted(stack: str) -> None:
    """With the patch's own container, the pods would request 48 GPUs, and the quota is 24."""
    plain = FLEET.replace("queues: kueue, ", stack)
    own = WORKLOADS.replace("name: chat, image", "name: web, resources: {limits: {nvidia.com/gpu: 8}}, image")
    [cluster] = planned(plain.replace("gpus: 32}", "gpus: 24}"), own, plain)
    said = {effect.object: effect.text for effect in cluster.effects if "chat" in effect.text}
    assert said == {
        "Deployment/research/chat": "the API server rejects it, so its pods are not counted: the patch is for "
        "container chat, and the object has web"
    }
