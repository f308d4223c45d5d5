"""A subject or role of a binding that the API server rejects."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import RBAC_GROUP
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_ROLES = {"ClusterRoleBinding": ("ClusterRole",), "RoleBinding": ("ClusterRole", "Role")}
_SUBJECTS = {"ServiceAccount": "", "User": RBAC_GROUP, "Group": RBAC_GROUP}


def _check(objects: Objects) -> Iterator[Finding]:
    is_filled = _is_filled(objects)
    for kind, roles in _ROLES.items():
        for item in objects.of(RBAC_GROUP, kind):
            yield from _role(item, roles)
            for index, subject in enumerate(item.body.get("subjects") or ()):
                if not isinstance(subject, dict):
                    continue  # such as null, which the schema allows
                must_have_namespace = kind == "ClusterRoleBinding" and not is_filled(subject.get("name"))
                for place, message, remedy in _faults(subject, must_have_namespace):
                    yield Finding(item, ("subjects", index, *place), message, remedy)


def _is_filled(objects: Objects) -> Callable[[object], bool]:
    """A test whether a kustomization may set the namespace of a ServiceAccount, as one for all objects does."""
    written = {item.identity: reach(item.body, "metadata", "namespace") or "" for item in objects.items}
    moved = any(identity.namespace != namespace for identity, namespace in written.items())
    placed = set()
    for identity, namespace in written.items():
        if identity.kind == "ServiceAccount" and namespace:
            placed.add(identity.name)
    return lambda name: moved or not (objects.closed or name in placed)


def _role(item: Item, roles: tuple[str, ...]) -> Iterator[Finding]:
    role = item.body.get("roleRef") or {}
    if role.get("kind") not in roles:
        message = f"a {item.identity.kind} cannot refer to kind {role.get('kind')!r}"
        yield Finding(item, ("roleRef", "kind"), message, f"set kind: {' or '.join(roles)}")
    if role.get("apiGroup") not in ("", None, RBAC_GROUP):
        message = f"API group {role.get('apiGroup')} has no roles"
        yield Finding(item, ("roleRef", "apiGroup"), message, f"set apiGroup: {RBAC_GROUP}")


def _faults(subject: Mapping[str, Any], must_have_namespace: bool) -> Iterator[tuple[Pointer, str, str]]:
    kind, name, group = subject.get("kind"), subject.get("name"), subject.get("apiGroup") or ""
    if kind not in _SUBJECTS:
        yield ("kind",), f"{kind!r} is not a valid subject kind", f"set kind: {' or '.join(_SUBJECTS)}"
    elif group not in ("", _SUBJECTS[kind]):
        remedy = f"set apiGroup: {_SUBJECTS[kind]}" if _SUBJECTS[kind] else "remove apiGroup"
        yield ("apiGroup",), f"a subject of kind {kind} is not in API group {group}", remedy
    if kind == "ServiceAccount" and must_have_namespace and not subject.get("namespace"):
        message = f"ServiceAccount {name} needs a namespace, because a ClusterRoleBinding has none"
        yield (), message, "add the namespace of the ServiceAccount"


RULE = Rule(
    code="CNF022",
    name="invalid-role-binding",
    severity=Severity.ERROR,
    rejects=True,
    summary="A ClusterRoleBinding or RoleBinding has a subject or role that the API server rejects.",
    help="The schema accepts any string, but the API server rejects the binding. A ServiceAccount in a "
    "ClusterRoleBinding needs its namespace and has no API group. Users and groups are in "
    "rbac.authorization.k8s.io. Without the binding, operators and device plugins start and then fail at "
    "their first request.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/rbac/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/rbac/v1/defaults.go",
    ),
    check=_check,
)
