"""The guard: the API server denies pods and claims that keep to no team's pools, and nothing else."""

import re
import shutil
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gitgpu.model.names.labels import QUEUE_LABEL
from gitgpu.objects.objects import Given, Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.pods import partial_pods
from gitgpu.source import SourceMap, Span
from tests.e2e.client import Object, RefusedError
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import clusters, gitgpu, layers, namespace
from tests.e2e.processes import until
from tests.emit.fleets import CLUSTER_ID
from tests.journeys.test_kinds_of_workloads import objects
from tests.objects.test_shared_reading import all_of

POLICIES = ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding")
NAMESPACES = ("research", "vision", "serving", "web", "gpu-resources", "gpu-operator")
POOL, AGENT_POOL, GPU = "karpenter.sh/nodepool", "kubernetes.azure.com/agentpool", "nvidia.com/gpu"
SKU = {"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}
OWN = {"key": "team", "value": "serving", "effect": "NoSchedule"}
QUEUE = {"kueue.x-k8s.io/queue-name": "research"}
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso}
spec: {delivery: {engine: flux, repository: "https://github.com/contoso/fleet", revision: main}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: lab}
spec:
  region: swedencentral
  kubernetesVersion: "1.35"
  resourceId: CLUSTER_ID
  stack: {guard: GUARD, queues: QUEUES}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [lab], sku: [Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4], limits: {gpus: 16}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [lab]
  sku: [Standard_NC4as_T4_v3]
  limits: {gpus: 16}
  taints: [{key: sku, value: gpu, effect: NoSchedule}, {key: team, value: serving, effect: NoSchedule}]
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: fixed}
spec:
  clusters: [lab]
  sku: [Standard_NC4as_T4_v3]
  provisioner: fixed
  nodes: {max: 1}
  taints: [{key: sku, value: gpu, effect: NoSchedule}, {key: team, value: none, effect: NoSchedule}]
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuTeam
metadata: {name: research}
spec: {namespaces: [research, vision], quota: [{pool: a100, gpus: 8}]}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuTeam
metadata: {name: serving}
spec: {namespaces: [serving], quota: [{pool: t4, gpus: 4}]}
""".replace("CLUSTER_ID", CLUSTER_ID)


def container(gpus: int = 1, resource: str = GPU) -> Object:
    return {"name": "a", "image": "contoso.azurecr.io/a:1", "resources": {"limits": {resource: gpus}} if gpus else {}}


def pod(space: str, *gpus: int, labels: Any = None, owner: Any = "", **spec: Any) -> Object:
    containers = [{**container(amount), "name": f"c{index}"} for index, amount in enumerate(gpus or (1,))]
    metadata: Object = {"generateName": "p-", "namespace": space, "labels": labels or {}}
    if owner:
        metadata["ownerReferences"] = [{"apiVersion": "apps/v1", "kind": owner, "name": "a", "uid": "a"}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers, **spec}}


def selecting(pool: str) -> Object:
    return {"nodeSelector": {POOL: pool}}


def requiring(*expressions: Object) -> Object:
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]} for expression in expressions]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}}


def one_of(key: str, operator: str, *values: str) -> Object:
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


SIDECAR = {**container(1), "name": "s", "restartPolicy": "Always"}
ANY = {"tolerations": [{"operator": "Exists"}]}
PASS = {
    "a pod of the team, on its pool": pod("research", **selecting("a100"), tolerations=[SKU]),
    "in the other namespace of the team": pod("vision", **selecting("a100")),
    "two containers that fit on the largest node": pod("research", 1, 1, **selecting("a100")),
    "an init container that fits": pod(
        "research", 2, **selecting("a100"), initContainers=[{**container(2), "name": "i"}]
    ),
    "no toleration of the other pool's taint": pod("research", tolerations=[SKU]),
    "an affinity that excludes the other pool": pod(
        "research", **requiring(one_of(POOL, "NotIn", "t4")), tolerations=[SKU, OWN]
    ),
    "an affinity for the own pool": pod("research", **requiring(one_of(POOL, "In", "a100", "b200")), **ANY),
    "another label of pools": pod("research", nodeSelector={AGENT_POOL: "gpus"}, **ANY),
    "an affinity for one of both, without GPUs": pod("web", 0, **requiring(one_of(POOL, "In", "a100", "cpu"))),
    "an alternative without a pool, and no GPUs": pod(
        "web", 0, **requiring(one_of(POOL, "In", "a100"), one_of("disk", "Exists"))
    ),
    "a sidecar that fits": pod("research", 1, **selecting("a100"), initContainers=[SIDECAR]),
    "a node by name, with the label of the own pool": pod("research", **selecting("a100"), nodeName="a"),
    "no GPUs, on a node by name": pod("web", 0, nodeName="a"),
    "no GPUs, anywhere": pod("web", 0),
    "no GPUs, and every taint tolerated": pod("web", 0, **ANY),
    "GPU software": pod("gpu-resources", **ANY),
    "a DaemonSet on all GPU nodes": pod("web", 0, owner="DaemonSet", **selecting("a100"), **ANY),
    "in kube-system": pod("kube-system", **ANY),
    "in an exempt namespace": pod("gpu-operator", **ANY),
}
DENIED = {
    "no team": (pod("web", **selecting("a100")), "has no team"),
    "the pool of another team": (
        pod("serving", **selecting("a100"), **ANY),
        "team serving has no quota of: select one of [t4]",
    ),
    "no GPUs, but the pool of another team": (pod("web", 0, **selecting("a100")), "has no quota of"),
    "no GPUs, and an affinity for pools of other teams": (
        pod("web", 0, **requiring(one_of(POOL, "In", "a100", "t4"), one_of(POOL, "In", "t4"))),
        "has no quota of",
    ),
    "the older label of a node pool": (pod("web", 0, nodeSelector={"agentpool": "fixed"}), "has no quota of"),
    "a node by name, which no taint keeps": (
        pod("research", tolerations=[SKU], nodeName="a"),
        "set a nodeSelector for one of",
    ),
    "more GPUs with a sidecar": (
        pod("research", 2, **selecting("a100"), initContainers=[SIDECAR]),
        "no node of team research",
    ),
    "nothing that keeps it off the other pool": (
        pod("research", tolerations=[SKU, OWN]),
        "set a nodeSelector for one of",
    ),
    "an affinity with an alternative": (
        pod("research", **requiring(one_of(POOL, "In", "a100"), one_of(POOL, "Exists")), **ANY),
        "set a nodeSelector",
    ),
    "more GPUs than a node has": (pod("research", 4, **selecting("a100")), "no node of team research has so many"),
    "more GPUs in two containers": (pod("research", 2, 1, **selecting("a100")), "no node of team research"),
    "more GPUs in an init container": (
        pod("research", 1, **selecting("a100"), initContainers=[{**container(4), "name": "i"}]),
        "no node of team research",
    ),
}
QUEUED = {
    "with a queue": pod("research", labels=QUEUE),
    "of a job that Kueue has admitted": pod("research", labels={"kueue.x-k8s.io/podset": "main"}, **selecting("a100")),
    "no GPUs": pod("research", 0),
}
NOT_QUEUED = {
    "a queue without a name": (
        pod("research", labels={"kueue.x-k8s.io/queue-name": ""}),
        "set the label kueue.x-k8s.io/queue-name: research",
    ),
    "without a queue": (pod("research", **selecting("a100")), "set the label kueue.x-k8s.io/queue-name: research"),
    "a queue, and the pool of another team": (pod("research", labels=QUEUE, **selecting("t4")), "has no quota of"),
    "a queue, and too many GPUs": (pod("research", 4, labels=QUEUE), "no node of team research"),
}


def claim(space: str, *requests: Object, template: bool = True) -> Object:
    devices = {"devices": {"requests": [{"name": f"r{index}", **request} for index, request in enumerate(requests)]}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate" if template else "ResourceClaim",
        "metadata": {"generateName": "c-", "namespace": space},
        "spec": {"spec": devices} if template else devices,
    }


def exactly(count: int = 0, device_class: str = "gpu.nvidia.com", **more: Any) -> Object:
    return {"exactly": {"deviceClassName": device_class, **({"count": count} if count else {}), **more}}


def cron(space: str, labels: Any = None) -> Object:
    template = pod(space, **selecting("a100"), restartPolicy="Never")
    job = {"metadata": {"labels": labels or {}}, "spec": {"template": {"spec": template["spec"]}}}
    metadata = {"name": "nightly", "namespace": space}
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": metadata,
        "spec": {"schedule": "0 3 * * *", "jobTemplate": job},
    }


BY_CLAIM = {"resourceClaims": [{"name": "gpus", "resourceClaimTemplateName": "gpus"}]}
CHOICE = {"firstAvailable": [{"name": "a", "deviceClassName": "gpu.nvidia.com", "count": 8}]}
CLAIMS = {
    "a claim of a team": claim("research", exactly(2)),
    "without a count": claim("research", exactly(), template=False),
    "all devices of a node": claim("research", exactly(allocationMode="All")),
    "of another class, without a team": claim("web", exactly(9, "nic.contoso.com")),
    "a choice": claim("research", CHOICE),
    "in an exempt namespace": claim("gpu-operator", exactly(8)),
    "a pod that claims its GPUs": pod("research", 0, **selecting("a100"), **BY_CLAIM),
}
DENIED_CLAIMS = {
    "no team": (claim("web", exactly(1)), "namespace web has no team"),
    "no team, a choice": (claim("web", CHOICE), "namespace web has no team"),
    "no team, a claim without a template": (claim("web", exactly(1), template=False), "namespace web has no team"),
    "more than a node has": (claim("research", exactly(4)), "no node of team research has so many devices of gpu"),
    "more in two requests": (claim("research", exactly(2), exactly(1)), "no node of team research has so many"),
    "more than a node of its own pools": (claim("serving", exactly(2), template=False), "its pools are [t4]"),
    "a pod without a team": (pod("web", 0, **BY_CLAIM), "namespace web has no team"),
}


@pytest.fixture
def guarded(request: pytest.FixtureRequest, cluster: Cluster, tmp_path: Path) -> Iterator[Cluster]:
    """A cluster with the policies of the fleet, once the API server applies them."""
    guard, queues = request.param
    (tmp_path / "fleet.yaml").write_text(FLEET.replace("GUARD", guard).replace("QUEUES", queues), encoding="utf-8")
    gitgpu(tmp_path, "build")
    [lab] = clusters(overlays=tmp_path / "overlays")
    objects = [body for layer in layers(lab, tmp_path / "overlays") for body in layer.objects]
    policies = [body for body in objects if body["kind"] in POLICIES]
    exempt = {"name": "gpu-operator", "labels": {"gitgpu.dev/guard": "none"}}
    for name in NAMESPACES:
        namespace(cluster.client, name)
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": name}}
        cluster.client.apply(account)
    cluster.client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": exempt})
    for body in policies:
        cluster.client.apply(body)
    try:
        until(lambda: _effect(cluster) == guard, "the API server applies the policies")
        yield cluster
    finally:
        for body in reversed(policies):
            cluster.client.delete(body)
        # It compiles policies in the background: those of the next test could be taken for these.
        until(lambda: _effect(cluster) == "", "the API server no longer applies the policies")


def _effect(cluster: Cluster) -> str:
    """What the API server does with a pod that no team has: "deny", "warn", or "" without policies."""
    try:
        return "warn" if cluster.client.create(pod("web", **BY_CLAIM), dry_run=True).warnings else ""
    except RefusedError as error:
        return "deny" if "has no team" in error.message else error.message


def _types(cluster: Cluster) -> list[Any]:
    """What the API server says about the types of the expressions."""
    policies = cluster.client.list("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy")
    named = (policy for policy in policies if policy["metadata"]["name"].startswith("gpu-teams"))
    return [policy.get("status", {}).get("typeChecking", {}).get("expressionWarnings") for policy in named]


@pytest.mark.parametrize("guarded", [("deny", "none")], indirect=True)
def test_pods_that_keep_to_their_team_pass_and_others_are_denied(guarded: Cluster, proved: Proved) -> None:
    _judge(guarded, PASS, DENIED)
    assert not any(_types(guarded))
    proved(f"guard: {len(PASS)} pods pass, {len(DENIED)} are denied with their remedies")


@pytest.mark.parametrize("guarded", [("deny", "kueue")], indirect=True)
def test_with_kueue_pods_with_gpus_need_a_queue(guarded: Cluster, proved: Proved) -> None:
    _judge(guarded, QUEUED, NOT_QUEUED)
    assert not any(_types(guarded))
    cron_job, labelled = cron("research"), cron("research", labels=QUEUE)
    expected = "set the label kueue.x-k8s.io/queue-name: research on its spec.jobTemplate"
    assert any(expected in warning for warning in guarded.client.create(cron_job, dry_run=True).warnings)
    cron_job["metadata"]["labels"] = QUEUE  # a CronJob does not pass its labels on
    assert any(expected in warning for warning in guarded.client.create(cron_job, dry_run=True).warnings)
    assert guarded.client.create(labelled, dry_run=True).warnings == ()
    proved(f"guard with Kueue: {len(QUEUED)} pods pass, {len(NOT_QUEUED)} are denied")


def of_kinds() -> Iterator[tuple[str, Object, bool]]:
    """A pod of each kind of workload, as its controller makes it of its template, and whether it requests GPUs."""
    for body in objects():
        of = Item(Given(body, SourceMap.of(Span("a.yaml", 1, 1))), identity(body), Scope.NAMESPACED)
        for found in partial_pods(all_of(of)):
            made = pod("research", labels=dict(found.labels))
            made["spec"] = {key: value for key, value in found.spec.items() if key in KEPT}
            made["spec"]["containers"] = [_small(container) for container in found.spec.get("containers", ())]
            if made["spec"]["containers"]:
                yield body["kind"], made, bool(found.requests().get(GPU))


KEPT = ("affinity", "nodeSelector", "restartPolicy", "schedulingGates", "tolerations")


def _small(container: Object) -> Object:
    """The container, with one GPU if it has several."""
    limits = container.get("resources", {}).get("limits", {})
    resources = {"limits": {GPU: 1}} if GPU in limits else {}
    return {"name": container.get("name", "a"), "image": "contoso.azurecr.io/a:1", "resources": resources}


@pytest.mark.parametrize("guarded", [("deny", "kueue")], indirect=True)
def test_pods_of_each_kind_need_a_queue_if_they_request_gpus(guarded: Cluster, proved: Proved) -> None:
    passing: dict[str, Object] = {}
    denied: dict[str, tuple[Object, str]] = {}
    for number, (kind, made, has_gpus) in enumerate(of_kinds()):
        without = _labelled(
            made, {key: value for key, value in made["metadata"]["labels"].items() if key != QUEUE_LABEL}
        )
        if has_gpus:
            denied[f"{kind} {number}"] = without, "set the label kueue.x-k8s.io/queue-name: research"
            passing[f"{kind} {number}"] = _labelled(made, QUEUE)
        else:
            passing[f"{kind} {number}"] = without
    _judge(guarded, passing, denied)
    kinds = sorted({name.partition(" ")[0] for name in denied})
    assert len(kinds) > 40
    proved(f"guard: pods with GPUs of {', '.join(kinds)} need a queue")


def _labelled(made: Object, labels: Object) -> Object:
    return {**made, "metadata": {**made["metadata"], "labels": labels}}


@pytest.mark.parametrize("guarded", [("deny", "none, allocation: dra, driver: operator")], indirect=True)
def test_claims_have_a_team_and_fit_on_a_node(guarded: Cluster, proved: Proved) -> None:
    _judge(guarded, CLAIMS, DENIED_CLAIMS)
    assert not any(_types(guarded))
    proved(f"guard with claims: {len(CLAIMS)} pass, {len(DENIED_CLAIMS)} are denied with their remedies")


UNUSUAL = {
    "no team": ("", ""),
    "no team, Kueue": (", queues: kueue", ""),
    "all GPUs claimed": (", allocation: dra, driver: operator", ""),
    "claimed and counted": (", allocation: dra, driver: operator", "Standard_NV24ads_V710_v5, driver: none"),
    "no taints": ("", "Standard_NC4as_T4_v3, taints: []"),
}


def test_policies_of_unusual_fleets_are_accepted(cluster: Cluster, tmp_path: Path, proved: Proved) -> None:
    """The API server compiles the expressions: empty lists and maps in them have no type."""
    start = FLEET.split("---\n")
    for number, (stack, more) in enumerate(UNUSUAL.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        documents = [start[0], start[1].replace("guard: GUARD, queues: QUEUES", f"guard: deny{stack}"), start[2]]
        if more:
            pool = f"metadata: {{name: more}}\nspec: {{clusters: [lab], limits: {{gpus: 4}}, sku: {more}}}\n"
            documents.append(f"apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\n{pool}")
        (folder / "fleet.yaml").write_text("---\n".join(documents), encoding="utf-8")
        gitgpu(folder, "build")
        for layer in layers("lab", folder / "overlays"):
            for body in layer.objects:
                if body["kind"] in POLICIES:
                    cluster.client.create(body, dry_run=True)
        assert "workloads" in {layer.name for layer in layers("lab", folder / "overlays")}
    proved(f"guard: the policies of {len(UNUSUAL)} unusual fleets are accepted")


@pytest.mark.parametrize("guarded", [("warn", "none")], indirect=True)
def test_a_guard_that_warns_denies_nothing_and_warns_about_templates(guarded: Cluster, proved: Proved) -> None:
    for name, (body, message) in DENIED.items():
        warnings = guarded.client.create(body, dry_run=True).warnings
        assert any(message in warning for warning in warnings), name
    template = pod("web", **selecting("a100"))
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "chat", "namespace": "web"},
        "spec": {
            "selector": {"matchLabels": {"app": "chat"}},
            "template": {"metadata": {"labels": {"app": "chat"}}, "spec": template["spec"]},
        },
    }
    assert any("has no team" in warning for warning in guarded.client.create(deployment, dry_run=True).warnings)
    proved(f"guard that warns: {len(DENIED)} warnings, nothing denied")


@pytest.mark.skipif(not shutil.which("jq"), reason="needs jq")
@pytest.mark.parametrize("guarded", [("warn", "none")], indirect=True)
def test_the_command_of_the_page_finds_running_pods_that_the_guard_would_deny(guarded: Cluster) -> None:
    kept = [named(pod("research", **selecting("a100"), tolerations=[SKU]), "kept"), named(pod("web", 0), "plain")]
    lost = named(pod("web", labels={"app": "x"}, **selecting("a100")), "lost")
    for body in kept:
        guarded.client.apply(body)
    assert _created_again(guarded).items() >= {"kept": False, "plain": False}.items()
    guarded.client.apply(lost)
    assert _created_again(guarded).items() >= {"kept": True, "plain": True, "lost": True}.items()
    for body in (*kept, lost):
        guarded.client.delete(body)


def named(body: Object, name: str) -> Object:
    return {**body, "metadata": {**body["metadata"], "name": name}}


def _created_again(cluster: Cluster) -> dict[str, bool]:
    """The running pods that the command of the page creates in a dry run, and whether kubectl warns about any."""
    command = ["bash", "-o", "pipefail", "-c", _command(cluster)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    warned = "namespace web has no team" in done.stderr
    names = (re.fullmatch(r"pod/(.+)-\w{5} created \(server dry run\)", line) for line in done.stdout.splitlines())
    return {name[1]: warned for name in names if name}


def _command(cluster: Cluster) -> str:
    """The command of the page, for the API server of the tests."""
    page = (Path(__file__).parents[2] / "docs/how-to/keep-pods-off-other-teams-nodes.md").read_text("utf-8")
    block = next(block for block in page.split("```console")[1:] if "jq" in block).partition("```")[0]
    plain = textwrap.dedent(block).strip().removeprefix("$ ")
    return plain.replace("kubectl ", f"kubectl --kubeconfig=/dev/null --server={cluster.client.url} ")


def _judge(cluster: Cluster, passing: dict[str, Object], denied: dict[str, tuple[Object, str]]) -> None:
    outcomes = {}
    for name, body in passing.items():
        try:
            cluster.client.create(body, dry_run=True)
        except RefusedError as error:
            outcomes[name] = error.message
    for name, (body, message) in denied.items():
        try:
            cluster.client.create(body, dry_run=True)
            outcomes[name] = "passed"
        except RefusedError as error:
            if message not in error.message:
                outcomes[name] = error.message
    assert outcomes == {}
