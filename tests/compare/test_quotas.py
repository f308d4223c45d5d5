"""Changes of queues, quotas and the guard: who is admitted from now on, and what stays."""

from collections.abc import Iterator
from typing import Any

from tests.compare.sides import CLASS, POOL, Body, between, overlays
from tests.helping.cases import for_each

API = "kueue.x-k8s.io/v1beta2"


def queue(**flavors: Body) -> Body:
    written = [{"name": name, "resources": [{"name": "nvidia.com/gpu", **quota}]} for name, quota in flavors.items()]
    groups = [{"coveredResources": ["nvidia.com/gpu"], "flavors": written}]
    spec = {"namespaceSelector": {}, "cohortName": "all", "resourceGroups": groups}
    return {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": "research"}, "spec": spec}


def hard(**amounts: str) -> Body:
    meta = {"name": "research", "namespace": "research"}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": meta, "spec": {"hard": amounts}}


def binding(*actions: str) -> Body:
    spec = {"policyName": "gpu-teams", "validationActions": list(actions)}
    kind = "ValidatingAdmissionPolicyBinding"
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": "gpu-teams"},
        "spec": spec,
    }


def flavor(topology: str = "", **spec: Any) -> Body:
    named = {"topologyName": topology} if topology else {}
    whole = {"nodeLabels": {"pool": "a"}, **spec, **named}
    return {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": "a"}, "spec": whole}


def topology(*labels: str) -> Body:
    spec = {"levels": [{"nodeLabel": label} for label in labels]}
    return {"apiVersion": API, "kind": "Topology", "metadata": {"name": "a"}, "spec": spec}


def effects(before: list[Body], after: list[Body]) -> Iterator[str]:
    """The effects of a change of the overlays of a cluster that has a pool besides."""
    beside = [POOL, CLASS]
    for cluster in between(overlays([*beside, *before]), overlays([*beside, *after])):
        yield from (effect.text for effect in cluster.effects)


FEWER = {"nominalQuota": "4", "borrowingLimit": "2"}
RELEASE: Body = {
    "apiVersion": "helm.toolkit.fluxcd.io/v2",
    "kind": "HelmRelease",
    "metadata": {"name": "kueue", "namespace": "flux-system"},
    "spec": {"chartRef": {"kind": "OCIRepository", "name": "kueue"}},
}
ANY = [{"operator": "Exists"}]
MORE = {"nominalQuota": "8"}


@for_each(
    ("before", "after", "expected"),
    [
        (
            queue(a100=MORE),
            queue(a100=FEWER),
            ["nominalQuota 4 instead of 8, borrowingLimit 2 instead of unlimited; admitted workloads stay"],
        ),
        (queue(a100=MORE, h100=MORE), queue(a100=MORE), ["no longer admits workloads to flavor h100"]),
        (queue(a100=MORE), queue(a100=MORE, h100=MORE), ["admits up to 8 nvidia.com/gpu to flavor h100"]),
        (queue(a100=MORE), None, ["its waiting workloads are no longer admitted; what runs stays"]),
        (hard(pods="8"), hard(pods="4"), ["pods: 4 instead of 8; running pods stay"]),
        (binding("Warn", "Audit"), binding("Deny"), ["denies new pods that break the policy; running pods stay"]),
        (None, binding("Deny"), ["denies new pods that break the policy"]),
        (binding("Deny"), None, ["no longer denies pods"]),
        (queue(a100=MORE), queue(a100=MORE), []),
        (flavor("zones"), flavor(), ["the API server refuses to change topologyName: remove the pool from all quotas"]),
        (flavor("zones"), flavor("zones", tolerations=ANY), ["the API server refuses to change tolerations"]),
        (flavor("zones"), flavor("zones", nodeTaints=[{"key": "a", "effect": "NoSchedule"}]), []),
        (flavor(), flavor("zones", tolerations=ANY), []),
        (topology("zone"), topology("zone", "host"), ["the API server refuses to change levels"]),
    ],
)
def test_who_is_admitted_from_now_on(before: Any, after: Any, expected: list[str]) -> None:
    found = list(effects([body for body in [before] if body], [body for body in [after] if body]))
    assert len(found) == len(expected)
    assert all(text in shown for text, shown in zip(expected, found, strict=True))


@for_each(
    ("before", "after", "expected"),
    [
        ([RELEASE, queue(a100=MORE), flavor()], [], 1),
        ([RELEASE, queue(a100=MORE), flavor()], [RELEASE], 0),
        ([RELEASE], [], 0),
        ([queue(a100=MORE)], [], 0),
    ],
)
def test_kueue_is_uninstalled_after_its_queues(before: list[Body], after: list[Body], expected: int) -> None:
    """Only its controllers remove the finalizers of deleted queues."""
    found = [text for text in effects(before, after) if "Kueue is uninstalled before" in text]
    assert len(found) == expected
    assert all("ClusterQueue/research" in text and "ResourceFlavor/a" in text for text in found)
