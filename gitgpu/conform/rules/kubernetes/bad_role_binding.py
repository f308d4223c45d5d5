"""A subject or a role of a binding that the API server refuses."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

_GROUP = "rbac.authorization.k8s.io"
_ROLES = {"ClusterRoleBinding": ("ClusterRole",), "RoleBinding": ("ClusterRole", "Role")}
_SUBJECTS = {"ServiceAccount": "", "User": _GROUP, "Group": _GROUP}


def _check(objects: Objects) -> Iterator[Finding]:
    filled = _filled(objects)
    for kind, roles in _ROLES.items():
        for item in objects.of(_GROUP, kind):
            yield from _role(item, roles)
            for at, subject in enumerate(item.body.get("subjects") or ()):
                if not isinstance(subject, dict):
                    continue  # such as null, which the schema passes
                apart = kind == "ClusterRoleBinding" and not filled(subject.get("name"))
                yield from (Finding(item, ("subjects", at, *fault[0]), *fault[1:]) for fault in _faults(subject, apart))


def _filled(objects: Objects) -> Callable[[object], bool]:
    """May a kustomization fill in the namespace of a service account? It does where it sets one for all objects."""
    written = {item.identity: reach(item.body, "metadata", "namespace") or "" for item in objects.items}
    moved = any(one.namespace != namespace for one, namespace in written.items())
    placed = {one.name for one, namespace in written.items() if one.kind == "ServiceAccount" and namespace}
    return lambda name: moved or not (objects.closed or name in placed)


def _role(item: Item, roles: tuple[str, ...]) -> Iterator[Finding]:
    role = item.body.get("roleRef") or {}
    if role.get("kind") not in roles:
        message = f"a {item.identity.kind} gives no {role.get('kind')!r}"
        yield Finding(item, ("roleRef", "kind"), message, f"write kind: {' or '.join(roles)}")
    if role.get("apiGroup") not in ("", None, _GROUP):
        message = f"{role.get('apiGroup')} has no roles"
        yield Finding(item, ("roleRef", "apiGroup"), message, f"write apiGroup: {_GROUP}")


def _faults(subject: Mapping[str, Any], apart: bool) -> Iterator[tuple[Pointer, str, str]]:
    kind, name, given = subject.get("kind"), subject.get("name"), subject.get("apiGroup") or ""
    if kind not in _SUBJECTS:
        yield ("kind",), f"no subject is a {kind!r}", f"write kind: {', '.join(_SUBJECTS)}"
    elif given not in ("", _SUBJECTS[kind]):
        remedy = f"write apiGroup: {_SUBJECTS[kind]}" if _SUBJECTS[kind] else "remove apiGroup"
        yield ("apiGroup",), f"a subject of kind {kind} is not in API group {given}", remedy
    if kind == "ServiceAccount" and apart and not subject.get("namespace"):
        message = f"the ServiceAccount {name} has no namespace here, and a ClusterRoleBinding is in none"
        yield (), message, "write namespace: the one of the ServiceAccount"


RULE = Rule(
    code="CNF022",
    name="bad-role-binding",
    severity=Severity.ERROR,
    summary="A ClusterRoleBinding or RoleBinding has a subject or a role that the API server refuses.",
    help="The schema takes any text; the API server's own code does not. A ServiceAccount in a ClusterRoleBinding "
    "needs its namespace and has no API group. Users and groups are in rbac.authorization.k8s.io. Without the binding, "
    "operators and device plugins start and then fail at their first request.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/rbac/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/rbac/v1/defaults.go",
    ),
    check=_check,
    bad="""
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: dcgm-exporter}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dcgm-exporter}
subjects:
- {kind: ServiceAccount, name: dcgm-exporter}
- {apiGroup: rbac.authorization.k8s.io, kind: ServiceAccount, name: gpu-operator, namespace: gpu-operator}
""",
    good="""
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: dcgm-exporter}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dcgm-exporter}
subjects:
- {kind: ServiceAccount, name: dcgm-exporter, namespace: monitoring}
- {kind: ServiceAccount, name: gpu-operator, namespace: gpu-operator}
""",
)
