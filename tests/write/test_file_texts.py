"""The texts of many clusters take the memory of what differs between them."""

import pickle

from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.write.file_texts import FileTexts, Parts
from gitgpu.write.layout import lay_out
from tests.write.test_layout import POOL

BODY = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"text": "word " * 1000}}


def test_a_text_is_joined_where_it_is_read() -> None:
    files = FileTexts({"a/b.yaml": Parts("# one\n", "two: 2\n"), "a/c.sh": Parts("three\n")})
    line = "# Do not edit a/b.yaml: change the spec and run `gitgpu build`.\n"
    assert dict(files) == {"a/b.yaml": f"# one\n{line}two: 2\n", "a/c.sh": "three\n"}
    assert (list(files), len(files)) == (["a/b.yaml", "a/c.sh"], 2)
    assert (files.get("a/c.sh", ""), files.get("a/d", "none")) == ("three\n", "none")


def test_clusters_share_the_texts_of_equal_objects_also_on_the_way_from_another_process() -> None:
    known: dict[str, str] = {}
    parts: dict[str, Parts] = {}
    for name in ("c1", "c2", "c3"):
        parts |= lay_out([Manifest(name, Layer.NODES, dict(BODY), POOL)], {}, known)
    sent = pickle.dumps(parts)
    assert len(sent) < 2 * len(BODY["data"]["text"])  # type: ignore[index]
    for files in (parts, pickle.loads(sent)):
        first, *others = (files[f"{name}/nodes/configmap-a.yaml"] for name in ("c1", "c2", "c3"))
        assert all(other.after is first.after and other.before is first.before for other in others)
