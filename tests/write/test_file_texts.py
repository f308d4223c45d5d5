"""The texts of many clusters use memory only for what differs between them."""

import operator
import pickle
from typing import Any

import pytest

from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.write.file_texts import FileTexts, Parts, cluster_files
from gitgpu.write.layout import Rendered, lay_out
from tests.write.test_layout import POOL

BODY = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"text": "word " * 1000}}


def test_a_text_is_joined_where_it_is_read() -> None:
    parts = {"a/c.sh": Parts("three\n"), "a/b/b.yaml": Parts("# one\n", "two: 2\n")}
    files = FileTexts({"a": cluster_files("a", parts, {})})
    line = "# Do not edit a/b/b.yaml: change the spec and run `gitgpu build`.\n"
    assert dict(files) == {"a/b/b.yaml": f"# one\n{line}two: 2\n", "a/c.sh": "three\n"}
    assert (list(files), len(files), bool(files)) == (["a/b/b.yaml", "a/c.sh"], 2, True)
    assert (files.get("a/c.sh", ""), bool(FileTexts())) == ("three\n", False)


@pytest.mark.parametrize("path", ["a/d", "a/a", "a", "", "b/c.sh", "a/c.sh/", "a//c.sh"])
def test_a_path_that_is_not_there(path: str) -> None:
    files = FileTexts({"a": cluster_files("a", {"a/c.sh": Parts("three\n")}, {})})
    assert files.get(path, "none") == "none"
    with pytest.raises(KeyError):
        files[path]


def test_clusters_share_names_and_texts_of_equal_objects_also_on_the_way_from_another_process() -> None:
    known: Rendered = {}
    shared: dict[Any, Any] = {}
    clusters = ("c1", "c2", "c3")
    manifests = {name: [Manifest(name, Layer.NODES, dict(BODY), POOL)] for name in clusters}
    compiled = {name: cluster_files(name, lay_out(manifests[name], {}, known), shared) for name in clusters}
    sent = pickle.dumps(compiled)
    assert len(sent) < 2 * len(BODY["data"]["text"])  # type: ignore[index]
    for found in (compiled, pickle.loads(sent)):
        first, *others = found.values()
        assert all(other.names is first.names for other in others)
        assert all(all(map(operator.is_, first.parts, other.parts)) for other in others)
