"""What applies an object, according to its labels, annotations and managed fields.

Flux labels: github.com/fluxcd/kustomize-controller and helm-controller; Argo CD: its resource tracking (label
argocd.argoproj.io/instance or annotation tracking-id, APP:GROUP/KIND:NAMESPACE/NAME); of Helm: the annotations on
objects of a release. Managers: `metadata.managedFields` of the Kubernetes API.
"""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import reach, rows, text_at
from gitgpu.inventory.observed import Owner
from gitgpu.model.names.annotations import LAST_APPLIED_ANNOTATION
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION, HELM_RELEASE
from gitgpu.model.names.labels import APP_INSTANCE_LABEL, MANAGED_BY_LABEL

_HELM = "meta.helm.sh"
_TRACKING, _INSTANCE = "argocd.argoproj.io/tracking-id", "argocd.argoproj.io/instance"
_OF_AKS = "aks-managed-"  # the Helm releases that AKS manages, such as that of NodePool/default
_MANAGERS = {
    "kustomize-controller": "flux",
    "helm-controller": "flux",
    "argocd-controller": "argocd",
    "argocd-application-controller": "argocd",
    "helm": "helm",
    "Helm": "helm",
    "Terraform": "terraform",
    "HashiCorp": "terraform",
}


def owner_of(body: Mapping[str, Any]) -> Owner:
    """What applies an object; an empty Owner if its document does not say so."""
    meta = body.get("metadata")
    labels, notes = reach(meta, "labels"), reach(meta, "annotations")
    if not (labels or notes or reach(meta, "managedFields")):
        return Owner()
    return (
        _aks_owner(labels, notes)
        or _flux_owner(labels)
        or _argo_owner(labels, notes)
        or _helm_owner(labels, notes)
        or _manager_owner(meta)
        or (Owner("kubectl", "kubectl apply") if text_at(notes, LAST_APPLIED_ANNOTATION) else Owner())
    )


def _aks_owner(labels: Any, notes: Any) -> Owner | None:
    release = text_at(notes, f"{_HELM}/release-name")
    aks = release.startswith(_OF_AKS) or text_at(labels, "kubernetes.azure.com/managedby") == "aks"
    return Owner("aks", release or "AKS") if aks else None


def _flux_owner(labels: Any) -> Owner | None:
    for group, kind in (FLUX_KUSTOMIZATION, HELM_RELEASE):
        name, namespace = text_at(labels, f"{group}/name"), text_at(labels, f"{group}/namespace")
        if name:
            return Owner("flux", "/".join(part for part in (kind, namespace, name) if part))
    return None


def _argo_owner(labels: Any, notes: Any) -> Owner | None:
    application = text_at(notes, _TRACKING).partition(":")[0] or text_at(labels, _INSTANCE)
    if not application:
        return None
    namespace, split, name = application.partition("_")  # NAMESPACE_NAME, if Applications can be in any namespace
    return Owner("argocd", f"Application/{namespace}/{name}" if split else f"Application/{application}")


def _helm_owner(labels: Any, notes: Any) -> Owner | None:
    release, namespace = text_at(notes, f"{_HELM}/release-name"), text_at(notes, f"{_HELM}/release-namespace")
    if release:
        return Owner("helm", f"{namespace}/{release}" if namespace else release)
    manager = text_at(labels, MANAGED_BY_LABEL).lower()
    if manager == "helm":
        return Owner("helm", text_at(labels, APP_INSTANCE_LABEL))
    return Owner("terraform", text_at(labels, APP_INSTANCE_LABEL)) if manager == "terraform" else None


def _manager_owner(meta: Any) -> Owner | None:
    """The field manager that applies the object. Managers that only write its status do not count."""
    managers = [entry for entry in rows(meta, "managedFields") if not entry.get("subresource")]
    managers.sort(key=lambda entry: entry.get("operation") != "Apply")  # server-side apply first
    names = [text_at(entry, "manager") for entry in managers]
    for name in names:
        if name in _MANAGERS:
            return Owner(_MANAGERS[name], name)
    kubectl = next((name for name in names if name.startswith("kubectl")), "")
    return Owner("kubectl", kubectl) if kubectl else None
