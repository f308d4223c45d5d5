"""A Flux source with an identity of its own, where source-controller may not create tokens of ServiceAccounts."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import list_at, rows, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import RBAC_GROUP
from gitgpu.model.names.kinds import BUCKET, GIT_REPOSITORY, OCI_REPOSITORY
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule

_CONTROLLER = "source-controller"
_CLOUDS = ("aws", "azure", "gcp")  # with other providers, the ServiceAccount only has pull secrets


class _Permissions(NamedTuple):
    """What the roles of source-controller allow: their names, and whether one of them may allow to create tokens."""

    roles: str = ""
    tokens: bool = False


def _check(objects: Objects) -> Iterator[Finding]:
    for item in chain.from_iterable(objects.of(*kind) for kind in (BUCKET, GIT_REPOSITORY, OCI_REPOSITORY)):
        account = text_at(item.body, "spec", "serviceAccountName")
        if not account or text_at(item.body, "spec", "provider") not in _CLOUDS:
            continue
        by_namespace = objects.once("permissions of source-controller", lambda: _permissions(objects))
        everywhere, here = (by_namespace.get(name, _Permissions()) for name in ("", item.identity.namespace))
        if everywhere.roles and not everywhere.tokens and not here.tokens:
            message = (
                f"Flux needs a token of ServiceAccount {account}, but {_CONTROLLER} may not create one: "
                f"{everywhere.roles} does not allow it, as in Flux 2.10 by default"
            )
            remedy = (
                "add a ClusterRole that allows create on serviceaccounts/token, and a ClusterRoleBinding of it to "
                f"{_CONTROLLER}"
            )
            yield Finding(item, ("spec", "serviceAccountName"), message, remedy)


def _permissions(objects: Objects) -> dict[str, _Permissions]:
    """What source-controller may do, by namespace; "" is every namespace."""
    roles: dict[str, dict[str, bool]] = {}
    for binding in chain(objects.of(RBAC_GROUP, "ClusterRoleBinding"), objects.of(RBAC_GROUP, "RoleBinding")):
        if any(map(_is_controller, rows(binding.body, "subjects"))):
            namespace, (kind, name) = binding.identity.namespace, _role(binding)
            candidates = objects.by_name(RBAC_GROUP, kind, name)
            bound = next((role for role in candidates if role.identity.namespace in ("", namespace)), None)
            roles.setdefault(namespace, {})[name] = bound is None or _creates_tokens(bound)  # absent: it may
    return {namespace: _Permissions(", ".join(named), any(named.values())) for namespace, named in roles.items()}


def _role(binding: Item) -> tuple[str, str]:
    return text_at(binding.body, "roleRef", "kind"), text_at(binding.body, "roleRef", "name")


def _is_controller(subject: Mapping[str, Any]) -> bool:
    return subject.get("kind") == "ServiceAccount" and subject.get("name") == _CONTROLLER


def _creates_tokens(role: Item) -> bool:
    """Whether a role may allow to create tokens: one that collects the rules of others may allow anything."""
    return "aggregationRule" in role.body or any(map(_allows, rows(role.body, "rules")))


def _allows(rule: Mapping[str, Any]) -> bool:
    groups, resources, verbs = (list_at(rule, key) for key in ("apiGroups", "resources", "verbs"))
    includes_tokens = any(name in ("*", "*/token", "serviceaccounts/token") for name in resources)
    return (
        includes_tokens and any(name in ("", "*") for name in groups) and any(name in ("create", "*") for name in verbs)
    )


RULE = Rule(
    code="GIT027",
    name="source-controller-without-tokens",
    severity=Severity.WARNING,
    summary="A Flux source has an identity of its own, and no role lets source-controller create a token for it.",
    help="With serviceAccountName and the provider of a cloud, source-controller creates a token of it and "
    "exchanges it for one of the cloud. The ClusterRole crd-controller of Flux 2.9 allows this, that of Flux 2.10 "
    "does not: add your own role before the upgrade, or Flux no longer fetches the source. kustomize-controller and "
    "helm-controller are cluster-admin by default, so this is not about them.",
    sources=(
        "https://github.com/fluxcd/flux2/releases/tag/v2.10.0",
        "https://fluxcd.io/flux/installation/configuration/object-identity/",
        "https://github.com/fluxcd/flux2/blob/da2d22d3690191a315822612085f424e4133b06a/manifests/rbac/controller.yaml",
        "https://github.com/fluxcd/flux2/blob/da2d22d3690191a315822612085f424e4133b06a/rfcs/0010-multi-tenant-workload-identity/README.md",
    ),
    facts=("features/tokens-of-flux-sources",),
    check=_check,
)
