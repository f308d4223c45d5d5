"""Which tool applies an object: the strongest evidence decides."""

from collections.abc import Mapping
from typing import Any

from gitgpu.inventory.observed import Owner
from gitgpu.inventory.owners import owner_of
from tests.helping.cases import for_each

FLUX, HELM_FLUX, HELM = "kustomize.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io", "meta.helm.sh"
TRACKING = "argocd.argoproj.io/tracking-id"
MANAGED_BY, INSTANCE = "app.kubernetes.io/managed-by", "app.kubernetes.io/instance"
LAST = "kubectl.kubernetes.io/last-applied-configuration"


@for_each(
    ("labels", "annotations", "expected"),
    [
        ({}, {}, Owner()),
        ({}, {f"{HELM}/release-name": "aks-managed-karpenter"}, Owner("aks", "aks-managed-karpenter")),
        ({"kubernetes.azure.com/managedby": "aks"}, {}, Owner("aks", "AKS")),
        ({"kubernetes.azure.com/managedby": "me"}, {}, Owner()),
        ({f"{FLUX}/name": "apps", f"{FLUX}/namespace": "flux"}, {}, Owner("flux", "Kustomization/flux/apps")),
        ({f"{FLUX}/name": "apps"}, {}, Owner("flux", "Kustomization/apps")),
        ({f"{FLUX}/namespace": "flux-system"}, {}, Owner()),
        ({f"{HELM_FLUX}/name": "keda", f"{HELM_FLUX}/namespace": "keda"}, {}, Owner("flux", "HelmRelease/keda/keda")),
        ({f"{FLUX}/name": "apps"}, {f"{HELM}/release-name": "keda"}, Owner("flux", "Kustomization/apps")),
        ({}, {TRACKING: "apps:apps/Deployment:web/web"}, Owner("argocd", "Application/apps")),
        ({}, {TRACKING: "team_apps:apps/Deployment:web/web"}, Owner("argocd", "Application/team/apps")),
        ({"argocd.argoproj.io/instance": "apps"}, {}, Owner("argocd", "Application/apps")),
        ({"argocd.argoproj.io/instance": "old"}, {TRACKING: "new:a/b:c/d"}, Owner("argocd", "Application/new")),
        ({}, {f"{HELM}/release-name": "keda"}, Owner("helm", "keda")),
        ({}, {f"{HELM}/release-name": "keda", f"{HELM}/release-namespace": "ns"}, Owner("helm", "ns/keda")),
        ({MANAGED_BY: "Helm", INSTANCE: "keda"}, {}, Owner("helm", "keda")),
        ({MANAGED_BY: "Terraform", INSTANCE: "gpu"}, {}, Owner("terraform", "gpu")),
        ({MANAGED_BY: "gitgpu", INSTANCE: "gpu"}, {}, Owner()),
        ({}, {LAST: "{}"}, Owner("kubectl", "kubectl apply")),
        ({MANAGED_BY: "helm"}, {LAST: "{}"}, Owner("helm", "")),
    ],
)  # fmt: skip
def test_labels_and_annotations(labels: Mapping[str, str], annotations: Mapping[str, str], expected: Owner) -> None:
    assert owner_of({"metadata": {"labels": labels, "annotations": annotations}}) == expected


def managed(*entries: Mapping[str, Any]) -> Owner:
    """The owner of an object with these managed fields."""
    return owner_of({"metadata": {"managedFields": list(entries)}})


@for_each(
    ("manager", "tool"),
    [
        ("kustomize-controller", "flux"),
        ("helm-controller", "flux"),
        ("argocd-controller", "argocd"),
        ("argocd-application-controller", "argocd"),
        ("helm", "helm"),
        ("Helm", "helm"),
        ("Terraform", "terraform"),
        ("HashiCorp", "terraform"),
        ("kubectl-client-side-apply", "kubectl"),
        ("kubectl", "kubectl"),
    ],
)
def test_a_field_manager(manager: str, tool: str) -> None:
    assert managed({"manager": manager, "operation": "Update"}) == Owner(tool, manager)
    assert managed({"manager": manager, "operation": "Update", "subresource": "status"}) == Owner()


def test_a_manager_that_applies_takes_precedence_over_one_that_updates() -> None:
    update, apply = {"manager": "helm", "operation": "Update"}, {"manager": "Terraform", "operation": "Apply"}
    assert managed(update, apply) == managed(apply, update) == Owner("terraform", "Terraform")


def test_a_delivery_engine_takes_precedence_over_kubectl() -> None:
    kubectl, flux = {"manager": "kubectl-edit", "operation": "Apply"}, {"manager": "helm-controller"}
    assert managed(kubectl, flux) == Owner("flux", "helm-controller")
    assert managed({"manager": "karpenter"}) == Owner()
