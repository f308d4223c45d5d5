"""CRDs, overlays, values files and directories: what is read from disk, and what is reported."""

from pathlib import Path
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.configuration.out_directory import OutDirectory
from gitgpu.load.generated import advice
from gitgpu.load.helm_values import read_values
from gitgpu.load.null_fields import without_null
from gitgpu.load.overlays import is_built, is_overlay, overlays_in, read_overlays
from gitgpu.load.spec.delivery_path import contradictions, with_delivery_path
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.load.walk import walk
from gitgpu.model.syntax.zones import regions_of_zones
from gitgpu.objects.crds import read_crds
from gitgpu.objects.delivery.kustomization_names import is_kustomization
from gitgpu.source import Span


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, text: str = "") -> str:
    """Writes a file and its parent directories."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")
    return path


def reported(faults: list[Diagnostic]) -> list[str]:
    """The faults as CODE file:line message."""
    return [f"{fault.code} {fault.span.file}:{fault.span.line} {fault.message}" for fault in faults]


HEAD = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\n"
WHOLE = "group: g.io, names: {kind: X}, scope: Cluster, versions: [{name: v1}]"


@pytest.mark.parametrize(
    ("spec", "is_usable"),
    [
        (WHOLE, True),
        (WHOLE.replace("Cluster", "Namespaced"), True),
        (WHOLE.replace("Cluster", "cluster"), False),
        (WHOLE.replace("g.io", "5"), False),
        (WHOLE.replace("{kind: X}", "{kind: 5}"), False),
        (WHOLE.replace("{kind: X}", "X"), False),
        (WHOLE.replace("[{name: v1}]", "[{served: true}]"), False),
        (WHOLE.replace("[{name: v1}]", "[v1]"), False),
        (WHOLE.replace("[{name: v1}]", "{name: v1}"), False),
        (WHOLE.replace("[{name: v1}]", "[]"), True),
        (WHOLE.replace(", versions: [{name: v1}]", ""), False),
    ],
)
def test_which_definitions_can_be_read(spec: str, is_usable: bool) -> None:
    definitions, faults = read_crds([write("crd.yaml", f"{HEAD}spec: {{{spec}}}\n")])
    assert (len(definitions), reported(faults)) == (
        (1, []) if is_usable else (0, ["CRD001 crd.yaml:4 this CRD cannot be read"])
    )
    remedy = "write it as apiextensions.k8s.io/v1 CustomResourceDefinition, with group, names, scope and versions"
    assert [fault.help for fault in faults] == ([] if is_usable else [remedy])


def test_files_with_definitions() -> None:
    write("d/one.yaml", f"{HEAD}spec: {{{WHOLE}}}\n---\napiVersion: v1\nkind: ConfigMap\n")
    write("d/broken.yaml", "a: [\n")
    write("d/crd-broken.yaml", "kind: CustomResourceDefinition\napiVersion: x\na: [\n")
    write("d/hole.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '${A}'}\n")
    write("d/crd-hole.yaml", HEAD.replace("name: x", "name: '${A}'"))
    Path("d/gone.yaml").symlink_to("nowhere.yaml")
    definitions, faults = read_crds(["d"])
    assert len(definitions) == 1
    assert [line.partition(" ")[2].partition(":")[0] for line in reported(faults)] == [
        "d/crd-broken.yaml",
        "d/crd-hole.yaml",
    ]
    assert [fault.code for fault in read_crds(["d/broken.yaml"])[1]] == ["YML001"]
    assert reported(read_crds([write("none.yaml", "apiVersion: v1\nkind: ConfigMap\n")])[1]) == [
        "CRD002 none.yaml:0 contains no CRD"
    ]
    assert read_crds([]) == ([], [])
    assert [fault.code for fault in read_crds(["d/gone.yaml"])[1]] == ["INP001"]


def test_which_values_files_can_be_read() -> None:
    write("a.yaml", "driver: {enabled: false}\n")
    for name, text in {
        "list.yaml": "- a\n",
        "two.yaml": "a: 1\n---\nb: 2\n",
        "empty.yaml": "",
        "broken.yaml": "a: [\n",
    }.items():
        write(name, text)
    names = ("a.yaml", "list.yaml", "two.yaml", "empty.yaml", "broken.yaml", "gone.yaml")
    value_sets, faults = read_values([("gpu-operator", name) for name in names])
    [values] = value_sets
    assert (values.chart, values.body["values"], values.text.name) == (
        "gpu-operator",
        {"driver": {"enabled": False}},
        "a.yaml",
    )
    spans = [
        values.places.span(at, key=key)
        for at in (("values", "driver", "enabled"), ("values",))
        for key in (False, True)
    ]
    assert [(span.line, span.column) for span in spans] == [(1, 19), (1, 10), (1, 1), (1, 1)]
    assert {fault.span.column for fault in faults if fault.code == "LNT003"} == {1}
    assert reported(faults[:3]) == [
        f"LNT003 {name}.yaml:1 contains no Helm values" for name in ("list", "two", "empty")
    ]
    assert {fault.help for fault in faults[:3]} == {"write the values as one mapping"}
    assert [line[:20] for line in reported(faults[3:])] == ["YML001 broken.yaml:1", "INP001 gone.yaml:0 c"]


def test_which_paths_are_overlays() -> None:
    for path, is_one in {
        "a/nodes/x.yaml": True, "a/x.json": True, "x.yaml": False, "a/x.md": False, "a/runbook/x.md": True,
        "runbook/x.md": False, "a/b/runbook/x.md": False,
    }.items():  # fmt: skip
        assert is_overlay(path) is is_one, path
    write("out/prod/kustomization.yaml", f"# {advice('prod/kustomization.yaml')}\n")
    write("out/prod/runbook/az.md", "text")
    write("out/README.md", "x")
    Path("out/prod/bad.yaml").write_bytes(b"\xff")
    texts, faults = read_overlays("out")
    assert sorted(texts) == ["prod/kustomization.yaml", "prod/runbook/az.md"]
    assert [fault.code for fault in faults] == ["INP002"]
    assert read_overlays("none") == ({}, [])
    assert (is_built("out"), is_built("."), is_built("none")) == (True, False, False)
    whole = str(Path("out").absolute())
    folders = [overlays_in(*pair) for pair in (("out", "x"), (".", "out"), (".", "x"), (".", whole))]
    assert folders == ["out", "./out", None, None]
    write("other/prod/kustomization.yaml", f"# {advice('elsewhere/kustomization.yaml')}\n")
    assert not is_built("other")
    assert overlays_in("other", "x") is None
    write("other/prod/nodes/x.yaml")
    assert overlays_in("other", "x") == "other"


def test_the_files_below_a_directory(tmp_path: Path) -> None:
    (tmp_path / "tree" / ".git").mkdir(parents=True)
    for path in (
        "tree/d/b.yaml",
        "tree/d/a/c.txt",
        "tree/d/.hidden",
        "tree/d/.h/x.yaml",
        "tree/d/out/y.yaml",
        "tree/near.yaml",
        "far.yaml",
    ):
        write(path)
    for name, target in {
        "link.yaml": "../near.yaml",
        "far.yaml": "../../far.yaml",
        "far.txt": "../../far.yaml",
        "gone.yaml": "no",
        "dir": "a",
    }.items():
        Path("tree/d", name).symlink_to(target)
    faults: list[Diagnostic] = []
    skipped = {str(tmp_path / "tree" / "d" / "out")}
    assert walk("tree/d", faults, skipped) == ["a/c.txt", "b.yaml", "gone.yaml", "link.yaml"]
    assert reported(faults) == ["INP001 tree/d/far.yaml:0 is not read: it points outside through a symbolic link"]
    assert faults[0].help == "pass the file itself, or replace the link with a copy"
    assert "out/y.yaml" in walk("tree/d", [])
    assert walk("none", faults) == []
    assert reported(faults)[1:] == ["INP001 none/:0 cannot be read: No such file or directory"]
    assert faults[1].help == "check the path and its permissions"


def test_zones_and_nulls_and_names() -> None:
    key = "topology.kubernetes.io/zone"
    rows: list[dict[str, Any]] = [
        {"key": key, "values": ["eastus-1", "west-europe-2", "x", "-1"]},
        {"key": "other", "values": ["a-1"]},
        {"key": key},
    ]
    assert regions_of_zones(rows) == {"eastus", "west-europe"}
    assert regions_of_zones([{"key": key, "values": "eastus-1"}]) == set()
    plain = {"a": [1, {"b": 2}], "c": {}}
    assert without_null(plain) is plain
    assert without_null({"a": None, "b": [None, {"c": None, "d": 1}], "e": {"f": {"g": None}}}) == {
        "b": [None, {"d": 1}],
        "e": {"f": {}},
    }
    names = ("kustomization.yaml", "a/kustomization.yml", "Kustomization", "xkustomization.yaml", "kustomization.json")
    assert [is_kustomization(name) for name in names] == [True, True, True, False, False]


def test_a_values_file_may_be_json() -> None:
    text = '{\n\t"driver": {"enabled": false}\n}\n'
    [values], faults = read_values([("gpu-operator", write("a.json", text))])
    assert (values.body["values"], faults) == ({"driver": {"enabled": False}}, [])
    [values], faults = read_values([("gpu-operator", write("a.yaml", "labels: {1: a}\n"))])
    assert (values.body["values"], faults) == ({"labels": {"1": "a"}}, []), "keys are text, as in JSON"


FLEET = "apiVersion: gitgpu.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\nspec: {delivery: {repository: https://x.io/y%s}}\n"


@pytest.mark.parametrize(
    ("written", "out", "agrees"),
    [
        ("", OutDirectory("o", "o", True, True, Span("c", 3, 1)), True),
        (", path: o", OutDirectory("o", "o", True, True, Span("c", 3, 1)), True),
        (", path: p", OutDirectory("o", "o", True, True, Span("c", 3, 1)), False),
        (", path: p", OutDirectory("o", "o", True, True, Span("c")), True),
        (", path: p", OutDirectory("o", "o", True, False, Span("c", 3, 1)), True),
        (", path: a/o", OutDirectory("o", "o", False, True, Span("c", 3, 1)), True),
        (", path: a/o", OutDirectory("o", "o", True, True, Span("c", 3, 1)), False),
        (", path: ao", OutDirectory("o", "o", False, True, Span("c", 3, 1)), False),
    ],
)
def test_the_path_of_delivery(written: str, out: OutDirectory, agrees: bool) -> None:
    documents, _ = shape([Text("f.yaml", FLEET % written, "")])
    diagnostics = list(contradictions(documents, out))
    assert [(fault.code, fault.pointer, fault.span.line) for fault in diagnostics] == (
        [] if agrees else [("CFG003", "/spec/delivery/path", 4)]
    )
    for fault in diagnostics:
        assert fault.message == (
            f"delivery.path is {written.removeprefix(', path: ')}, but c:3:1 sets out, which is o in the repository: "
            "Flux or Argo CD would not find what a build writes"
        )
        assert fault.help == (
            "remove path, because it defaults to out, or set path: o; "
            "to write for another repository, pass --out instead of out"
        )
    broken, _ = shape([Text("f.yaml", "apiVersion: gitgpu.dev/v1alpha1\nkind: Fleet\nmetadata: {name: f}\n", "")])
    assert list(contradictions(broken, out)) == []
    assert with_delivery_path(broken, out) == broken
    [fleet] = with_delivery_path(documents, out)
    assert fleet.data["spec"]["delivery"]["path"] == (written.removeprefix(", path: ") or "o")
