"""The names of clusters, pools, workloads and teams in the documents of a fleet: where they are defined and used.

A label or a patch names a pool only if it cannot mean anything else: the label that Karpenter gives to the nodes of a
pool, and a patch of a NodePool whose name is written out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from gitgpu.editor.yaml_tree import Node, Part, parts, scalars
from gitgpu.load.spec.shape import API_VERSION, KINDS
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.source import Pointer

_ITEM = 0  # stands for any item of a list
_CLUSTERS: Mapping[Pointer, str] = {
    ("spec", "clusters"): "Cluster",
    ("spec", "clusters", _ITEM): "Cluster",
    ("spec", "overrides", _ITEM, "clusters", _ITEM): "Cluster",
}
_USES: Mapping[str, Mapping[Pointer, str]] = {
    "Fleet": {("spec", "rings", _ITEM, "clusters", _ITEM): "Cluster"},
    "Cluster": {},
    "GpuPool": _CLUSTERS,
    "GpuWorkload": {
        **_CLUSTERS,
        ("spec", "pools"): "GpuPool",
        ("spec", "pools", _ITEM): "GpuPool",
        ("spec", "team"): "GpuTeam",
        ("spec", "overrides", _ITEM, "set", "pools", _ITEM): "GpuPool",
        ("spec", "overrides", _ITEM, "set", "team"): "GpuTeam",
    },
    "GpuTeam": {
        **_CLUSTERS,
        ("spec", "quota", _ITEM, "pool"): "GpuPool",
        ("spec", "overrides", _ITEM, "set", "quota", _ITEM, "pool"): "GpuPool",
    },
}
_LITERAL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")


class Name(NamedTuple):
    """A name in a file, from `start` to `end`: where a document has it (`defines`), or where another one uses it.

    `namespace` is that of a workload, which only its own document names. A `foreign` name is in a manifest, which may
    be about another fleet: it leads to a document of this one, but does not change with its name.
    """

    kind: str
    name: str
    file: str
    start: int
    end: int
    defines: bool = False
    namespace: str = ""
    quoted: bool = False
    foreign: bool = False

    def means(self, other: "Name") -> bool:
        """Whether both are names of the same thing."""
        return (self.kind, self.name, self.namespace) == (other.kind, other.name, other.namespace)


def names(texts: Mapping[str, str]) -> Iterator[Name]:
    """Every name in these files, in their order."""
    for file, content in texts.items():
        yield from names_in(file, content)


def names_in(file: str, content: str) -> Iterator[Name]:
    """Every name in a file, in order."""
    if API_VERSION in content or NODEPOOL_LABEL in content:
        for part in parts(content):
            for name in _part_names(part.content):
                yield name._replace(file=file, start=name.start + part.start, end=name.end + part.start)


def name_at(file: str, content: str, index: int) -> Name | None:
    """The name at an index of a file."""
    return next((name for name in names_in(file, content) if name.start <= index <= name.end), None)


def defined_names(every: Iterable[Name], kind: str) -> list[str]:
    """The names of the documents of a kind, sorted."""
    return sorted({name.name for name in every if name.defines and name.kind == kind})


def kind_use(kind: str, path: Pointer) -> str:
    """The kind of document that a value of a document names; "" if it names none."""
    return _USES.get(kind, {}).get(tuple(_ITEM if isinstance(step, int) else step for step in path), "")


@lru_cache(2048)  # an edit changes one document of a fleet
def _part_names(content: str) -> tuple[Name, ...]:
    root = Part(0, content).root
    kind = root.text_at("kind") if root else ""
    if root is None:
        return ()
    if kind not in KINDS or root.text_at("apiVersion") != API_VERSION:
        return tuple(_name("GpuPool", node)._replace(foreign=True) for node in _selected_pools(root))
    found: list[Name] = []
    own = root.get("metadata", "name")
    if own and own.text and kind != "Fleet":
        namespace = root.text_at("metadata", "namespace") if kind == "GpuWorkload" else ""
        found.append(_name(kind, own)._replace(defines=True, namespace=namespace))
    for path, node in scalars(root):
        used = kind_use(kind, path)
        if used and node.text:
            found.append(_name(used, node))
    found += (_name("GpuPool", node) for node in (*_selected_pools(root), *_patched_pools(root)))
    return tuple(sorted(found, key=lambda name: name.start))


def _name(kind: str, node: Node) -> Name:
    return Name(kind, node.text or "", "", node.start, node.end, quoted=not node.bare)


def _selected_pools(root: Node) -> Iterator[Node]:
    """The names of pools in the label that Karpenter gives to their nodes."""
    for path, node in scalars(root):
        if path[-1:] == (NODEPOOL_LABEL,) and node.text:
            yield node


def _patched_pools(node: Node) -> Iterator[Node]:
    """The names of NodePools in the targets of patches. They are patterns: only a literal one names a pool for sure."""
    target = node.get("target")
    if target and target.text_at("kind") == NODE_POOL.kind:
        name = target.get("name")
        if name and _LITERAL.fullmatch(name.text or ""):
            yield name
    for _, value in node.entries:
        yield from _patched_pools(value)
