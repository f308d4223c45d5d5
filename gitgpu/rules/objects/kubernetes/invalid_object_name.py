"""An object name that the API server rejects."""

from collections.abc import Callable, Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.objects.manifest.object_names import FILES, OPENSHIFT
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.syntax import is_dns_label, is_dns_subdomain, is_path_segment
from gitgpu.rules.object_rule import Finding, Rule

_WORDS = "lowercase letters, digits and '-', starting and ending with a letter or digit"


def _check(objects: Objects) -> Iterator[Finding]:
    names = objects.kinds.get("names", {})
    labels, paths = names.get("label", ()), names.get("path", ())
    for item in objects.items:
        if not _is_applied(item):
            continue
        kind = f"{item.identity.group}/{item.identity.kind}".lstrip("/")
        is_valid, syntax = _syntax(kind, labels, paths)
        if item.identity.name and not is_valid(item.identity.name):
            message = f"'{item.identity.name}' is not a valid name for a {kind}"
            yield Finding(item, ("metadata", "name"), message, f"use {syntax}")
        if item.identity.namespace and not is_dns_label(item.identity.namespace):
            yield _namespace(item)


def _is_applied(item: Item) -> bool:
    """Whether the name is applied as written. The name of a patch is not, nor a name with a Kustomize variable."""
    return (
        not item.is_patch
        and item.identity.group not in FILES
        and "$(" not in f"{item.identity.name}{item.identity.namespace}"
    )


def _syntax(kind: str, labels: Sequence[str], paths: Sequence[str]) -> tuple[Callable[[str], bool], str]:
    if kind in labels:
        return is_dns_label, f"at most 63 {_WORDS}"
    if kind in paths or kind.partition("/")[0] in OPENSHIFT:
        return is_path_segment, "a name without '/' and '%'"
    return is_dns_subdomain, f"at most 253 {_WORDS}, in parts joined by '.'"


def _namespace(item: Item) -> Finding:
    message = f"'{item.identity.namespace}' is not a valid namespace name"
    return Finding(item, ("metadata", "namespace"), message, f"use at most 63 {_WORDS}")


RULE = Rule(
    code="CNF003",
    name="invalid-object-name",
    severity=Severity.ERROR,
    rejects=True,
    summary="An object or its namespace has a name that Kubernetes does not allow.",
    help="Names are used in URLs and DNS records, so the API server rejects a name that is not a DNS name.",
    sources=("https://kubernetes.io/docs/concepts/overview/working-with-objects/names/",),
    check=_check,
)
