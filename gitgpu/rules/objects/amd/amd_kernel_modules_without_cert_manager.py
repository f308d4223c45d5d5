"""Kernel Module Management of the AMD GPU Operator without cert-manager."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import chart_row, effective_value
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_ISSUER = "cert-manager"
_KINDS = f"certificates.{_ISSUER}.io"


def _check(objects: Objects) -> Iterator[Finding]:
    if not objects.closed or _has_cert_manager(objects):
        return
    for release in releases(objects):
        managed = effective_value(release, objects, "kmm", "enabled") is True and release.whole
        if managed and chart_row(release, objects).get("name") == "amd-gpu-operator":
            message = "Kernel Module Management needs cert-manager, which is not installed"
            remedy = "install cert-manager first, or set kmm: {enabled: false, watch: false}"
            yield Finding(*release.locate("kmm", "enabled"), message, remedy)


def _has_cert_manager(objects: Objects) -> bool:
    # Its namespace, its CRDs or its objects show that cert-manager is installed in some way.
    emitted = any(
        identity.name in (_ISSUER, _KINDS) or identity.group == f"{_ISSUER}.io" for identity in objects.present
    )
    return emitted or any(True for _ in releases(objects, _ISSUER))


RULE = Rule(
    code="STK061",
    name="amd-kernel-modules-without-cert-manager",
    severity=Severity.WARNING,
    summary="The AMD GPU Operator is installed with Kernel Module Management, but cert-manager is not installed.",
    help="The Kernel Module Management of the chart has a webhook, whose certificate is an object of cert-manager. "
    "Without that kind, the release cannot be installed. cert-manager may be installed from outside these files.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/docs/installation/kubernetes-helm.md",
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/helm-charts-k8s/charts/kmm/templates/serving-cert.yaml",
    ),
    check=_check,
)
