"""Fields of Flux's objects that are mutually exclusive, or that another one requires."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from gitgpu.access import mapping_at, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import (
    BUCKET,
    FLUX_KUSTOMIZATION,
    GIT_REPOSITORY,
    HELM_CHART,
    HELM_RELEASE,
    HELM_REPOSITORY,
)
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

Fault: TypeAlias = tuple[Pointer, str, str]
_STS = {"aws": "aws", "generic": "ldap"}  # the only `sts.provider` of each provider of a Bucket that allows one


def _remote_faults(spec: Mapping[str, Any]) -> Iterator[Fault]:
    remote = mapping_at(spec, "kubeConfig")
    if "configMapRef" in remote and "secretRef" in remote:
        message = "kubeConfig has a configMapRef and a secretRef"
        yield ("spec", "kubeConfig", "secretRef"), message, "remove one of them"
    elif "kubeConfig" in spec and not {"configMapRef", "secretRef"} & remote.keys():
        message = "kubeConfig has neither a configMapRef nor a secretRef"
        yield ("spec", "kubeConfig"), message, "add a secretRef with the kubeconfig, or a configMapRef"


def _git_faults(spec: Mapping[str, Any]) -> Iterator[Fault]:
    # Whether aws allows it depends on the release of Flux.
    if "serviceAccountName" in spec and text_at(spec, "provider") not in ("azure", "aws"):
        message = "serviceAccountName needs provider azure"
        yield ("spec", "serviceAccountName"), message, "set provider: azure, or remove serviceAccountName"


def _chart_faults(spec: Mapping[str, Any]) -> Iterator[Fault]:
    kind = text_at(spec, "sourceRef", "kind")
    if "verify" in spec and kind != HELM_REPOSITORY.kind:
        yield ("spec", "verify"), f"a chart from a {kind} cannot be verified", "remove verify"


def _bucket_faults(spec: Mapping[str, Any]) -> Iterator[Fault]:
    provider, sts = text_at(spec, "provider") or "generic", mapping_at(spec, "sts")
    if "serviceAccountName" in spec and provider == "generic":
        message = "serviceAccountName needs another provider than generic"
        yield ("spec", "serviceAccountName"), message, "set the provider of the bucket, or remove serviceAccountName"
    elif "serviceAccountName" in spec and "secretRef" in spec:
        message = "secretRef and serviceAccountName are both set"
        yield ("spec", "serviceAccountName"), message, "remove one of them"
    if "sts" in spec and provider not in _STS:
        yield ("spec", "sts"), f"provider {provider} does not support sts", "remove sts"
    elif "sts" in spec and text_at(sts, "provider") != _STS[provider]:
        message = f"provider {provider} supports sts only with provider {_STS[provider]}"
        yield ("spec", "sts", "provider"), message, f"set provider: {_STS[provider]}, or remove sts"
    for field in ("secretRef", "certSecretRef"):
        if text_at(sts, "provider") == "aws" and field in sts:
            yield ("spec", "sts", field), f"sts with provider aws does not use {field}", f"remove {field}"


_CHECKS: Mapping[tuple[str, str], Callable[[Mapping[str, Any]], Iterator[Fault]]] = {
    HELM_RELEASE: _remote_faults,
    FLUX_KUSTOMIZATION: _remote_faults,
    GIT_REPOSITORY: _git_faults,
    HELM_CHART: _chart_faults,
    BUCKET: _bucket_faults,
}


def _check(objects: Objects) -> Iterator[Finding]:
    for kind, faults_of in _CHECKS.items():
        patched = objects.patched_names(*kind)
        for item in objects.of(*kind):
            if item.identity.name not in patched:
                for fault in faults_of(mapping_at(item.body, "spec")):
                    yield Finding(item, *fault)


RULE = Rule(
    code="GIT026",
    name="flux-object-with-conflicting-fields",
    severity=Severity.ERROR,
    rejects=True,
    summary="Fields of a Flux object are mutually exclusive, such as configMapRef and secretRef of kubeConfig.",
    help="The API server rejects the object: CEL rules of its CRD forbid these combinations in release 2.7 and all "
    "later ones.",
    sources=(
        "https://github.com/fluxcd/helm-controller/blob/0f61a8607a62be64638f2f912d9487e653960a6e/api/v2/helmrelease_types.go",
        "https://pkg.go.dev/github.com/fluxcd/source-controller/api@v1.10.1/v1",
    ),
    check=_check,
)
