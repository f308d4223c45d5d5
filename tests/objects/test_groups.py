"""Groups of files: their names, whether the cluster may have other objects, and their size."""

from typing import Any

import yaml

from gitgpu.load.text import Text
from gitgpu.objects.delivery.kustomize import ANY, Part
from gitgpu.objects.grouping.alternatives import common_folder
from gitgpu.objects.grouping.groups import Group, entry_title, opener, title, with_objects
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.objects.objects import Extent
from gitgpu.runs.lint_groups import Prepared, batches
from tests.helping.cases import for_each
from tests.lint.test_lint import ASKED, codes, linted
from tests.objects.test_applied import item
from tests.rules.objects.test_stack import plugin
from tests.rules.objects.test_stack import pool as gpu_pool

OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"


@for_each(
    ("folders", "expected"),
    [
        ([], ""),
        (["a/b", "a/c"], "a"),
        (["a/b", "a/b/c"], "a/b"),
        (["/a/b", "/a/c"], "/a"),
        (["a", "b"], ""),
        (["a", ""], ""),
        (["a", "/a"], ""),
    ],
)
def test_the_common_parent_of_directories(folders: list[str], expected: str) -> None:
    assert common_folder(folders) == expected


@for_each(
    ("files", "expected"),
    [
        (["clusters/prod/a.yaml"], "prod"),
        (["clusters/prod/flux-system/a.yaml"], "prod"),
        (["clusters/prod/flux-system/a.yaml", "clusters/prod/b.yaml"], "prod"),
        (["a.yaml"], ""),
    ],
)
def test_the_name_of_an_entry_point(files: list[str], expected: str) -> None:
    assert entry_title(files) == expected


@for_each(
    ("files", "expected"),
    [
        (["gpu/a.yaml", "gpu/b.yaml"], "gpu"),
        (["x/gpu/a.yaml", "x/gpu/b/c.yaml"], "gpu"),
        (["gpu/aa.yaml", "gpu/ab.yaml"], "gpu"),
        (["a.b.yaml", "c.yaml"], "a"),
        (["pools.yaml"], "pools"),
        (["gpu/pools.yaml"], "gpu"),
        (["../nodes.yaml"], "nodes"),
        (["../../a/x.yaml", "../../a/y.yaml"], "a"),
    ],
)
def test_the_name_of_a_group(files: list[str], expected: str) -> None:
    assert title(files) == expected


def test_a_group_is_open_if_a_file_was_not_read_completely() -> None:
    manifests = read_manifests([Text(name, text, name) for name, text in (("a.yaml", OBJECT), ("b.yaml", "a: [\n"))])
    whole = Group([Part("a.yaml")])
    assert with_objects(whole, manifests) == whole
    for name in ("b.yaml", "absent.yaml"):
        group = Group([Part("a.yaml"), Part(name)], frozenset({("", "Pod")}))
        completed = with_objects(group, manifests)
        assert completed.beyond == {("", "Pod"), ANY}
        assert completed.opened is not None
        assert completed.opened.what == f"{name} was not read, or only partly"
        patched = Group([Part("a.yaml"), Part(name, patch=True)])
        assert with_objects(patched, manifests) == patched


def test_why_a_group_is_open() -> None:
    assert opener({}) is None
    assert opener({("", "Pod"): None}) is None
    opened = opener({ANY: None})
    assert opened is not None
    assert opened.what == "a kustomization uses paths outside these files"
    (file,) = read_manifests([Text("a.yaml", OBJECT, "a.yaml")]).files.values()
    named = opener({ANY: file.objects[0]})
    assert named is not None
    assert (named.span.file, named.span.line) == ("a.yaml", 1)
    assert named.what == "ConfigMap a applies objects that are not in these files"


@for_each(
    ("sizes", "expected"),
    [
        ([], []),
        ([1, 2], [[1, 2]]),
        ([49_999, 1, 49_999, 1], [[49_999, 1], [49_999, 1]]),
        ([50_000, 50_001, 7], [[50_000], [50_001], [7]]),
    ],
)
def test_groups_are_checked_in_batches(sizes: list[int], expected: list[list[int]]) -> None:
    groups = [Prepared([item("a")] * size, "1.34", Extent(closed=True)) for size in sizes]
    assert [[len(group.items) for group in batch] for batch in batches(groups)] == expected


def pool(name: str, node_class: str) -> dict[str, Any]:
    """A NodePool with a node class."""
    owner = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": node_class}
    spec = {"template": {"spec": {"nodeClassRef": owner, "requirements": []}}}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": spec}


def node_class(name: str) -> dict[str, Any]:
    """A node class."""
    meta = {"name": name}
    return {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": meta, "spec": {}}


FLUX = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: gpu, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./applied, sourceRef: {kind: GitRepository, name: fleet}}
"""


def flux_repository(applied: str) -> dict[str, str]:
    """A directory that Flux applies, and next to it a directory with a NodePool and another node class."""
    beside = yaml.safe_dump_all([pool("a", "absent"), node_class("b")])
    return {"clusters/gpu.yaml": FLUX, "applied/a.yaml": applied, "other/a.yaml": beside}


def test_files_that_flux_does_not_apply_are_part_of_a_cluster() -> None:
    """A missing object is reported only if Flux applies no object of its kind."""
    assert "CNF012" in codes(flux_repository(OBJECT))
    assert "CNF012" not in codes(flux_repository(yaml.safe_dump(node_class("c"))))


def test_an_object_missing_in_such_files_may_be_elsewhere_on_the_cluster() -> None:
    """The device plugin is missing on the pool in the files that Flux does not apply."""
    text = gpu_pool() + plugin("{karpenter.sh/nodepool: other}")
    whole_cluster = ASKED._replace(closed=True)
    files = {"clusters/gpu.yaml": FLUX, "applied/a.yaml": OBJECT, "other/a.yaml": text}
    assert "STK004" in codes({"other/a.yaml": text}, whole_cluster)
    assert "STK004" not in codes(files, whole_cluster)


def test_an_object_of_several_groups_is_skipped_once() -> None:
    widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n"
    overlay = """
resources: [../base]
patches: [{patch: "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, size: NAME}"}]
"""
    files = {"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": widget}
    files |= {f"{name}/kustomization.yaml": overlay.replace("NAME", name) for name in ("test", "prod")}
    assert (linted(files).objects, linted(files).skipped) == (0, 1)


def test_a_file_without_a_document_is_reported_at_its_start() -> None:
    named = ASKED._replace(named=frozenset({"a.yaml"}))
    (diagnostic,) = linted({"a.yaml": "# nothing\n"}, named).diagnostics
    assert (diagnostic.code, diagnostic.span.file, diagnostic.span.line, diagnostic.span.column) == (
        "LNT003",
        "a.yaml",
        1,
        1,
    )
