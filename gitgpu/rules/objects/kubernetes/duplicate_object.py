"""Two definitions of the same object."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.objects.same_content import same_content
from gitgpu.rules.object_rule import Finding, Rule

_TESTS = frozenset({"chainsaw.kyverno.io", "kuttl.dev"})  # read by a test tool, and never applied


def _check(objects: Objects) -> Iterator[Finding]:
    first: dict[tuple[Identity, str], Item] = {}
    for item in objects.items:
        # With generateName, an object has no name yet.
        if item.is_patch or not item.identity.name or item.identity.group in _TESTS:
            continue
        other = first.setdefault((item.identity, item.renamed), item)
        is_apart = _is_applied_apart(item, other)
        # Two controllers that apply the same content do not disturb each other.
        if other is item or (is_apart and same_content(item.body, other.body)):
            continue
        where = f"{item.identity.namespace}/{item.identity.name}".lstrip("/")
        message = f"duplicate {item.identity.kind} {where} (first in {other.given.places.span()})"
        remedy, severity = "remove one, or give it another name", Severity.ERROR
        if is_apart:
            both = sorted({_applier(item), _applier(other)})
            apply = "apply" if len(both) > 1 else "applies"
            message = f"{message}: {' and '.join(both)} {apply} different content, and each overwrites the other"
            remedy, severity = "apply it once, or use the same content in both places", Severity.WARNING
        yield Finding(item, ("metadata", "name"), message, remedy, severity=severity)


def _is_applied_apart(item: Item, other: Item) -> bool:
    """Whether two controllers apply the objects. Neither fails then: server-side apply takes over fields."""
    deliverer = item.delivered.by if item.delivered else ""
    other_deliverer = other.delivered.by if other.delivered else ""
    return deliverer != other_deliverer or deliverer.startswith("ApplicationSet/")


def _applier(item: Item) -> str:
    """The kind and name of what applies an object."""
    if not item.delivered:
        return "what applies this directory"
    kind, _, name = item.delivered.by.split("/", 2)
    return f"{kind} {name}"


RULE = Rule(
    code="CNF008",
    name="duplicate-object",
    severity=Severity.ERROR,
    summary="Two objects of one cluster have the same kind, namespace and name.",
    help="Kustomize refuses to build them together. Two Flux Kustomizations or Argo CD Applications both apply the "
    "object: if the content differs, each overwrites the other, which is a warning.",
    sources=(
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/",
        "https://github.com/kubernetes-sigs/kustomize/blob/dd55d1e619288fc620640329f800d0812a9c9e31/api/resmap/reswrangler.go",
        "https://github.com/fluxcd/pkg/blob/e2cfd1a2d1815a81b3e77ef750e6528282ccccd6/ssa/manager_apply.go",
        "https://github.com/argoproj/argo-cd/blob/37ee0097cf851bc2dd7665fc081bbce61a7e836e/controller/state.go",
    ),
    check=_check,
)
