"""Names in the documents of a fleet, and what a label or a patch names for sure."""

from gitgpu.editor.names import names_in
from tests.helping.cases import for_each

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: {kind}\nmetadata:\n  name: own\nspec:\n"
SELECTOR = """\
  job:
    template:
      spec:
        nodeSelector: {karpenter.sh/nodepool: a100, agentpool: a100}
"""
PATCH = "  patches:\n  - target: {{kind: {kind}, name: {name}}}\n    patch: {{}}\n"


def found(kind: str, spec: str) -> list[tuple[str, str]]:
    """The kinds and names that a document uses."""
    text = HEAD.format(kind=kind) + spec
    uses = [name for name in names_in("f", text) if not name.defines]
    assert all(text[name.start : name.end].strip('"') == name.name for name in uses)
    return [(name.kind, name.name) for name in uses]


@for_each(
    ("kind", "spec", "expected"),
    [
        ("GpuPool", "  clusters: [a, b]\n", [("Cluster", "a"), ("Cluster", "b")]),
        ("GpuPool", "  clusters: a\n", [("Cluster", "a")]),
        ("GpuPool", "  clusters: {matchLabels: {env: a}}\n", []),
        ("GpuPool", "  overrides:\n  - clusters: [a]\n    set: {weight: 1}\n", [("Cluster", "a")]),
        ("GpuWorkload", '  pools: ["a"]\n  team: t\n', [("GpuPool", "a"), ("GpuTeam", "t")]),
        (
            "GpuWorkload",
            "  overrides:\n  - clusters: [c]\n    set: {pools: [a]}\n",
            [("Cluster", "c"), ("GpuPool", "a")],
        ),
        ("GpuTeam", "  quota:\n  - {pool: a, gpus: 1}\n", [("GpuPool", "a")]),
        ("Fleet", "  rings:\n  - name: r\n    clusters: [a]\n", [("Cluster", "a")]),
        ("GpuWorkload", SELECTOR, [("GpuPool", "a100")]),
        ("GpuPool", PATCH.format(kind="NodePool", name="a100"), [("GpuPool", "a100")]),
        ("GpuPool", PATCH.format(kind="NodePool", name="'a100.*'"), []),
        ("GpuPool", PATCH.format(kind="Deployment", name="a100"), []),
        ("GpuWorkload", "  target: {kind: Deployment, name: a100}\n", []),
    ],
)
def test_a_document_uses_names(kind: str, spec: str, expected: list[tuple[str, str]]) -> None:
    assert found(kind, spec) == expected


def test_documents_of_other_projects_use_none() -> None:
    assert list(names_in("f", "apiVersion: v1\nkind: GpuPool\nmetadata: {name: x}\nspec: {clusters: [a]}\n")) == []
