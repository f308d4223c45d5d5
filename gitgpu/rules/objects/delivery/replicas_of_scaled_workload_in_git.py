"""A number of replicas in Git for a workload with a scaler."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import FLUX_SSA_ANNOTATION
from gitgpu.model.names.kinds import DEPLOYMENT, SCALED_OBJECT, STATEFUL_SET
from gitgpu.model.software.autoscaling import DEFAULT_MAX_REPLICAS
from gitgpu.objects.gitops.applications import applications, applies, heals
from gitgpu.objects.gitops.references import appliers
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import (
    Target,
    autoscalers,
    lowest,
    scaled_objects,
    target,
)
from gitgpu.rules.object_rule import Finding, Rule

_POINTERS = ("/spec/replicas", "/spec")  # JSON pointers that cover the replicas
_LEFT = ("IfNotPresent", "Ignore")  # values with which Flux does not apply the object again
_REMEDY = "remove spec.replicas; the scaler sets it"


def _check(objects: Objects) -> Iterator[Finding]:
    every_scaler = filter(_has_range, (*autoscalers(objects), *scaled_objects(objects)))
    scalers = {target(scaler): scaler for scaler in every_scaler}
    if not scalers or _ignored_everywhere(objects):
        return
    for item in chain(objects.of(*DEPLOYMENT), objects.of(*STATEFUL_SET)):
        scaler = scalers.get(Target(*item.identity))
        # A patch may remove the replicas.
        is_patched = item.identity.name in objects.patched_names("apps", item.identity.kind)
        if scaler is None or is_patched or not _sets_replicas(item):
            continue
        cause = next(_rewriting(item, objects), "")
        if cause:
            message = f"{cause}, but {scaler.identity.kind} {scaler.identity.name} scales this workload"
            yield Finding(item, ("spec", "replicas"), message, _REMEDY, at_key=True)


def _has_range(scaler: Item) -> bool:
    """Whether the number of replicas can differ from the minimum."""
    spec = scaler.body["spec"]
    if scaler.identity.kind == SCALED_OBJECT.kind:
        return bool(lowest(scaler) != spec.get("maxReplicaCount", DEFAULT_MAX_REPLICAS))
    return bool(spec.get("minReplicas", 1) != spec.get("maxReplicas"))


def _sets_replicas(item: Item) -> bool:
    return reach(item.body, "spec", "replicas") is not None


def _rewriting(item: Item, objects: Objects) -> Iterator[str]:
    """What sets the replicas of a workload repeatedly."""
    replicas = reach(item.body, "spec", "replicas")
    for applier in appliers(item, objects):
        spec, name = mapping_at(applier.body, "spec"), applier.identity.name
        # A patch or a component may remove the replicas.
        kept = reach(item.body, "metadata", "annotations", FLUX_SSA_ANNOTATION) in _LEFT or "replicas" in str(
            _changes(spec)
        )
        if not kept and not spec.get("suspend"):
            yield f"Flux Kustomization {name} sets {replicas} replicas every {spec.get('interval') or 'interval'}"
    for application, spec in applications(objects):
        if heals(spec) and not _ignores(spec, item) and applies(application, spec, item):
            yield f"{application.identity.kind} {application.identity.name} sets {replicas} replicas at each self-heal"


def _changes(spec: Mapping[str, Any]) -> tuple[Any, ...]:
    """The fields with which a Flux Kustomization changes or excludes objects."""
    return tuple(spec.get(key) for key in ("patches", "ignore", "components"))


def _ignores(spec: Mapping[str, Any], item: Item) -> bool:
    """Whether an Application ignores the replicas, at least until the next manual sync."""
    entries = (mapping_at(entry) for entry in list_at(spec, "ignoreDifferences"))
    return any(_is_of(entry, item) and _ignores_replicas(entry) for entry in entries)


def _is_of(ignored: Mapping[str, Any], item: Item) -> bool:
    is_of_kind = ignored.get("kind") in ("*", item.identity.kind) and ignored.get("group") in ("*", "apps")
    return is_of_kind and ignored.get("name") in (None, "", item.identity.name)


def _ignores_replicas(ignored: Mapping[str, Any]) -> bool:
    pointed = any(pointer in _POINTERS for pointer in list_at(ignored, "jsonPointers"))
    ignored_by_jq = any("replicas" in str(path) for path in list_at(ignored, "jqPathExpressions"))
    # The managers can include the one that sets the replicas.
    return pointed or ignored_by_jq or bool(ignored.get("managedFieldsManagers"))


def _ignored_everywhere(objects: Objects) -> bool:
    """Whether the Argo CD configuration ignores replicas for all Applications."""
    configured: Iterable[Item] = (item for item in objects.items if item.identity.name == "argocd-cm")
    return any("replicas" in str(item.body.get("data")) for item in configured)


RULE = Rule(
    code="GIT015",
    name="replicas-of-scaled-workload-in-git",
    severity=Severity.WARNING,
    summary="An autoscaled workload sets spec.replicas in Git, so Flux or Argo CD keeps resetting it.",
    help="A scaler changes spec.replicas, and Flux and Argo CD treat that as drift. Flux resets it at every "
    "interval, Argo CD at every self-heal. Pods that are needed are deleted, and the scaler recreates them. Without "
    "replicas in Git the scaler owns the field. With Argo CD you can instead list /spec/replicas in "
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
)
