"""The texts of many clusters use memory only for their differences."""

import pickle
from typing import Any

import pytest

from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.write.file_texts import FileTexts, Parts, cluster_files
from gitgpu.write.layout import Rendered, lay_out
from tests.helping.cases import for_each
from tests.write.test_layout import POOL

BODY = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"text": "word " * 1000}}


def test_a_text_is_joined_where_it_is_read() -> None:
    parts = {"a/c.sh": Parts("three\n"), "a/b/b.yaml": Parts("# one\n", "two: 2\n")}
    files = FileTexts({"a": cluster_files("a", parts, {})})
    line = "# Do not edit a/b/b.yaml: change the spec and run `gitgpu build`.\n"
    assert dict(files) == {"a/b/b.yaml": f"# one\n{line}two: 2\n", "a/c.sh": "three\n"}
    assert (list(files), len(files), bool(files)) == (["a/b/b.yaml", "a/c.sh"], 2, True)
    assert (files.get("a/c.sh", ""), bool(FileTexts())) == ("three\n", False)


@for_each("path", ["a/d", "a/a", "a", "", "b/c.sh", "a/c.sh/", "a//c.sh"])
def test_an_absent_path(path: str) -> None:
    files = FileTexts({"a": cluster_files("a", {"a/c.sh": Parts("three\n")}, {})})
    assert files.get(path, "none") == "none"
    with pytest.raises(KeyError):
        files[path]


@for_each("cluster", ["a", "e", "prod", "prod-prod", "n"])
def test_a_text_is_the_same_wherever_the_name_of_the_cluster_is_in_it(cluster: str) -> None:
    texts = (f"{cluster}", f"{cluster}{cluster}x{cluster}", "prod-prod-prod\n", "", f"./{cluster}/nodes of {cluster}\n")
    parts = {f"{cluster}/{at}": Parts(text) for at, text in enumerate(texts)}
    files = FileTexts({cluster: cluster_files(cluster, parts, {})})
    assert dict(files) == {path: text.before for path, text in parts.items()}


def test_clusters_that_differ_in_their_name_share_all_files_also_on_the_way_from_another_process() -> None:
    known: Rendered = {}
    shared: dict[Any, Any] = {}
    clusters = ("c1", "c2", "c3")
    data = {name: {**BODY["data"], "path": f"./{name}"} for name in clusters}  # type: ignore[dict-item]
    manifests = {name: [Manifest(name, Layer.NODES, {**BODY, "data": data[name]}, POOL)] for name in clusters}
    compiled = {name: cluster_files(name, lay_out(manifests[name], {}, known), shared) for name in clusters}
    sent = pickle.dumps(compiled)
    assert len(sent) < 2 * len(BODY["data"]["text"])  # type: ignore[index]
    for texts in (compiled, pickle.loads(sent)):
        first, *others = texts.values()
        assert all(other is first for other in others)
