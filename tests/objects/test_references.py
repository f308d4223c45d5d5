"""What a Flux Kustomization applies, judging by file paths only, and where a missing object is instead."""

from gitgpu.objects.gitops.references import applied_objects, appliers, has_some, other_namespace
from gitgpu.objects.objects import Given, Identity, Item, Objects
from gitgpu.objects.schema.contract import Scope
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each
from tests.rules.objects.samples import shared_norms

GROUP = "kustomize.toolkit.fluxcd.io"


def item(kind: str, name: str, file: str, *, group: str = "", path: str = "", namespace: str = "a") -> Item:
    """An object in a file. `path` is the spec.path of a Kustomization."""
    spec = {"spec": {"path": path}} if path else {}
    body = {"kind": kind, "metadata": {"name": name, "namespace": namespace}, **spec}
    return Item(Given(body, SourceMap.of(Span(file, 1, 1))), Identity(group, kind, namespace, name), Scope.NAMESPACED)


def objects(*items: Item) -> Objects:
    """The objects of a cluster."""
    return Objects(
        items, frozenset(each.identity for each in items), shared_norms().catalog, shared_norms().kinds, "1.36"
    )


APPS, CHAT, OTHER = (
    item("ConfigMap", "apps", "apps/a.yaml"),
    item("Deployment", "chat", "./apps/chat/d.yaml"),
    item("Job", "b", "b.yaml"),
)
REPOSITORY = item("GitRepository", "fleet", "s.yaml", group="source.toolkit.fluxcd.io")
ARTIFACT = item("ExternalArtifact", "built", "s.yaml", group="source.toolkit.fluxcd.io")
BUCKET = item("Bucket", "more", "s.yaml", group="source.toolkit.fluxcd.io")


@for_each(
    ("path", "sources", "names"),
    [
        ("./apps", (), ["apps", "chat"]),
        ("apps/", (), ["apps", "chat"]),
        ("/apps/chat", (), ["chat"]),
        ("./app", (), []),
        ("./", (REPOSITORY,), ["apps", "chat", "b", "fleet"]),
        ("./", (REPOSITORY, BUCKET), []),  # the files may belong to either source
        ("./", (REPOSITORY, ARTIFACT), []),
        ("./apps", (REPOSITORY, BUCKET), ["apps", "chat"]),
    ],
)
def test_objects_below_the_path(path: str, sources: tuple[Item, ...], names: list[str]) -> None:
    kustomization = item("Kustomization", "k", "apps/k.yaml", group=GROUP, path=path)
    items = applied_objects(kustomization, objects(APPS, CHAT, OTHER, kustomization, *sources))
    assert [each.identity.name for each in items] == names


def test_several_kustomizations_may_apply_an_object() -> None:
    first, second = (item("Kustomization", path, "k.yaml", group=GROUP, path=path) for path in ("apps", "apps/chat"))
    known = objects(APPS, CHAT, OTHER, first, second)
    assert [list(appliers(each, known)) for each in (APPS, CHAT, OTHER)] == [[first], [first, second], []]


def test_where_a_missing_object_is_instead() -> None:
    known = objects(APPS, item("ConfigMap", "apps", "c.yaml", namespace="0"), CHAT)
    assert other_namespace(APPS.identity, known) is None
    assert other_namespace(APPS.identity._replace(namespace="b"), known) == "0"
    assert other_namespace(APPS.identity._replace(name="b"), known) == ""
    assert other_namespace(APPS.identity._replace(kind="Secret"), known) == ""


def test_a_kind_that_is_present() -> None:
    known = objects(APPS)
    assert has_some("", "ConfigMap", known)
    assert not has_some("", "Secret", known)
    assert not has_some("apps", "ConfigMap", known)
