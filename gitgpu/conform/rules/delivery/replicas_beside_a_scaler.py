"""A number of replicas in Git for a workload that a scaler scales."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.conform.gitops.applications import applications, applies, heals
from gitgpu.conform.gitops.references import appliers
from gitgpu.conform.objects import Item, Objects, listed, mapping, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import MOST, Target, autoscalers, lowest, scaled_objects, target
from gitgpu.diagnostic import Severity

_POINTERS = ("/spec/replicas", "/spec")
_LEFT = ("IfNotPresent", "Ignore")  # what Flux does not write again
_SSA = "kustomize.toolkit.fluxcd.io/ssa"
_REMEDY = "remove spec.replicas; the scaler alone decides"


def _check(objects: Objects) -> Iterator[Finding]:
    scalers = {target(one): one for one in (*autoscalers(objects), *scaled_objects(objects)) if _moves(one)}
    if not scalers or _ignored_everywhere(objects):
        return
    patched = {kind: objects.patched("apps", kind) for kind in ("Deployment", "StatefulSet")}
    counted = [
        (item, scalers[Target(*item.identity)])
        for kind, names in patched.items()
        for item in objects.of("apps", kind)
        if Target(*item.identity) in scalers and _counts(item) and item.identity.name not in names
    ]
    for item, scaler in counted:
        found = next(_rewriting(item, objects), "")
        if found:
            message = f"{found}, and {scaler.identity.kind} {scaler.identity.name} scales this workload"
            yield Finding(item, ("spec", "replicas"), message, _REMEDY, at_key=True)


def _moves(scaler: Item) -> bool:
    """May there ever be another number of replicas than the fewest?"""
    spec = scaler.body["spec"]
    if scaler.identity.kind == "ScaledObject":
        return bool(lowest(scaler) != spec.get("maxReplicaCount", MOST))
    return bool(spec.get("minReplicas", 1) != spec.get("maxReplicas"))


def _counts(item: Item) -> bool:
    return reach(item.body, "spec", "replicas") is not None


def _rewriting(item: Item, objects: Objects) -> Iterator[str]:
    """Who writes the replicas of a workload again and again."""
    replicas = reach(item.body, "spec", "replicas")
    for one in appliers(item, objects):
        spec, name = mapping(one.body.get("spec")), one.identity.name
        kept = reach(item.body, "metadata", "annotations", _SSA) in _LEFT or "replicas" in str(_changes(spec))
        if not kept and not spec.get("suspend"):
            yield f"Flux Kustomization {name} sets {replicas} replicas every {spec.get('interval') or 'interval'}"
    for one, spec in applications(objects):
        if heals(spec) and not _ignores(spec, item) and applies(one, spec, item):
            yield f"{one.identity.kind} {one.identity.name} sets {replicas} replicas whenever it heals itself"


def _changes(spec: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a Flux Kustomization changes, or leaves alone, of what it reads."""
    return tuple(spec.get(key) for key in ("patches", "ignore", "components"))


def _ignores(spec: Mapping[str, Any], item: Item) -> bool:
    """Does an Application leave the replicas alone, at least until somebody syncs it?"""
    found = (mapping(one) for one in listed(spec.get("ignoreDifferences")))
    return any(_is_of(one, item) and _leaves_replicas(one) for one in found)


def _is_of(ignored: Mapping[str, Any], item: Item) -> bool:
    of_kind = ignored.get("kind") in ("*", item.identity.kind) and ignored.get("group") in ("*", "apps")
    return of_kind and ignored.get("name") in (None, "", item.identity.name)


def _leaves_replicas(ignored: Mapping[str, Any]) -> bool:
    pointed = any(one in _POINTERS for one in listed(ignored.get("jsonPointers")))
    asked = any("replicas" in str(one) for one in listed(ignored.get("jqPathExpressions")))
    return pointed or asked or bool(ignored.get("managedFieldsManagers"))


def _ignored_everywhere(objects: Objects) -> bool:
    """Is Argo CD told for all Applications to leave replicas alone?"""
    configured: Iterable[Item] = (one for one in objects.items if one.identity.name == "argocd-cm")
    return any("replicas" in str(one.body.get("data")) for one in configured)


RULE = Rule(
    code="GIT015",
    name="replicas-beside-a-scaler",
    severity=Severity.WARNING,
    summary="A workload that is scaled has a number of replicas in Git, which Flux or Argo CD writes again and again.",
    help="A scaler changes spec.replicas, and to the delivery that is drift. Flux applies its own number at every "
    "interval, and Argo CD as soon as it heals itself: pods end that the load needs, and the scaler starts them again. "
    "Without replicas in Git the field belongs to the scaler. With Argo CD it is enough to name /spec/replicas in "
    "ignoreDifferences, with the sync option RespectIgnoreDifferences=true.",
    sources=(
        "https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/",
        "https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#respect-ignore-difference-configs",
        "https://fluxcd.io/flux/faq/#how-can-i-prevent-flux-overriding-the-replicas-when-using-hpa",
        "https://github.com/argoproj/argo-cd/issues/5105",
        "https://github.com/fluxcd/flux2/issues/1842",
        "https://github.com/kedacore/keda/issues/5572",
    ),
    check=_check,
    bad="""
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: fleet}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 5m, url: "https://github.com/contoso/fleet"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers: [{name: main, image: "registry.contoso.com/chat:1.4.0"}]
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers: [{type: azure-queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
    good="""
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: fleet}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 5m, url: "https://github.com/contoso/fleet"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers: [{name: main, image: "registry.contoso.com/chat:1.4.0"}]
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers: [{type: azure-queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
)
