"""Files that are often kept next to manifests: what is read if they are named, or found in a directory."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.text import Text
from gitgpu.objects.loaded import Loaded, ManifestFile
from gitgpu.objects.manifest.chart_folders import chart_of, charts_of, unrendered_notes
from gitgpu.objects.manifest.manifests import Manifests, read_manifests, strictly

RECORDED = Path(__file__).with_name("recorded") / "texts.yaml"
CONTENTS: dict[str, str] = yaml.load(RECORDED.read_text(encoding="utf-8"), yaml.CSafeLoader)
FLUX = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: all}\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in a directory with only these texts."""
    monkeypatch.chdir(tmp_path)


def read(contents: dict[str, str], named: frozenset[str] | None) -> Manifests:
    """The manifests of some texts."""
    return read_manifests([Text(name, text, name) for name, text in contents.items()], named)


def shown(manifests: Manifests) -> Iterator[str]:
    """Everything that was read, as lines."""
    for name, file in sorted(manifests.files.items()):
        yield f"{name}: {', '.join(_of(file)) or 'nothing'}"
        yield from (f"  {_fault(fault)}" for fault in file.faults)
        yield from (f"  waiting {_object(loaded)}: {_fault(why)}" for loaded, why in file.waiting)
    for name, known in sorted(manifests.kustomizations.items()):
        yield f"{name}: names {[use.path for use in known.uses]}"
    yield from map(_fault, manifests.faults)


def _of(file: ManifestFile) -> Iterator[str]:
    yield from map(_object, file.objects)
    yield from (f"other at {span.line}:{span.column}" for span in file.others)
    if file.template:
        yield f"a template at {file.template.line}:{file.template.column}"


def _object(loaded: Loaded) -> str:
    span = loaded.places.span()
    meta = loaded.body.get("metadata") or {}
    return f"{loaded.body['apiVersion']} {loaded.body['kind']} {meta.get('name')} at {span.line}:{span.column}"


def _fault(fault: Diagnostic) -> str:
    span = fault.span
    where = f"{span.file}:{span.line}:{span.column} {fault.pointer}".rstrip()
    return f"{fault.severity} {fault.code} {where}: {fault.message}; {fault.help}"


@pytest.mark.parametrize("named", [None, frozenset[str]()], ids=["named", "found"])
def test_recorded_texts(named: frozenset[str] | None, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(shown(read(CONTENTS, named))) == snapshot


def test_flux_fills_in_what_others_leave(snapshot: SnapshotAssertion) -> None:
    holes = {name: text for name, text in CONTENTS.items() if name.startswith("holes/")}
    assert "\n".join(shown(read({**holes, "flux.yaml": FLUX}, None))) == snapshot


@pytest.mark.parametrize("named", [None, frozenset[str]()], ids=["named", "found"])
def test_the_effect_of_each_line(named: frozenset[str] | None, snapshot: SnapshotAssertion) -> None:
    """Each file is read alone, with one line removed at a time."""
    effects: list[str] = []
    for name, text in CONTENTS.items():
        lines = text.splitlines(keepends=True)
        for at, line in enumerate(lines):
            without = "".join((*lines[:at], *lines[at + 1 :]))
            effects.append(f"{name} without {line.strip()}")
            effects += [f"  {each.strip()}" for each in shown(read({name: without}, named))]
    assert "\n".join(effects) == snapshot


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{{- if .Values.on -}}\n# one\n# two\n# three\napiVersion: v1\nkind: Pod\n", "LNT001 1"),
        ("apiVersion: v1\nkind: Pod\nname: {{ x }}\na: b: c\n", "LNT001 3"),
        ("apiVersion: v1\nkind: Pod\nname: '{{ x }}'\na: b: c\n", "YML001 4"),
        ('apiVersion: v1\nkind: Pod\nname: "{{ x }}"\na: b: c\n', "YML001 4"),
        ("apiVersion: v1\nkind: Pod\nname: 'a'{{ x }}\n", "LNT001 3"),
        ('apiVersion: v1\nkind: Pod\nname: "a"{{ x }}\n', "LNT001 3"),
        ("apiVersion: v1\nkind: Pod\na: b: c\n{{- if .Values.on -}}\n", "YML001 3"),
        ("apiVersion: v1\nkind: Pod\n'{{ x }}': b: c\n", "YML001 3"),
        ('apiVersion: v1\nkind: Pod\n"{{ x }}": b: c\n', "YML001 3"),
        ("apiVersion: v1\nkind: Pod\nname: '@NAME@'\na: b: c\n", "YML001 4"),
        ("apiVersion: v1\nkind: Pod\nname: a\nname: b # {{ x }}\n", "YML002 4"),
    ],
)
def test_a_text_is_a_template_if_an_action_is_why_it_is_not_yaml(content: str, fault: str) -> None:
    """An action in quotes is not the reason, and neither is one after the fault."""
    faults = read({"a.yaml": content}, None).files["a.yaml"].faults
    assert [f"{each.code} {each.span.line}" for each in faults] == [fault]


def test_a_template_is_a_fault_only_if_it_is_named() -> None:
    texts = {name: f"apiVersion: v1\nkind: Pod\nname: {{{{ {name} }}}}\n" for name in ("named.yaml", "found.yaml")}
    files = read(texts, frozenset({"named.yaml"})).files
    assert [fault.code for fault in files["named.yaml"].faults] == ["LNT001"]
    assert (files["found.yaml"].faults, bool(files["found.yaml"].template)) == ((), True)


@pytest.mark.parametrize("name", ["kustomization.yaml", "kustomization.yml", "Kustomization"])
def test_a_directory_that_a_kustomization_names_has_a_kustomization_of_any_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "app" / "base").mkdir(parents=True)
    (tmp_path / "app" / "base" / name).write_text("namespace: a\n", encoding="utf-8")
    manifests = read_manifests([Text("app/kustomization.yaml", "resources: [base]\n", "kustomization.yaml")], None)
    assert (manifests.faults, [*manifests.kustomizations]) == ((), ["app/kustomization.yaml", f"app/base/{name}"])


def test_strict_turns_notes_about_templates_into_errors() -> None:
    manifests = read(CONTENTS, frozenset())
    for strict in (True, False):
        severities = {fault.severity for fault in strictly(manifests, strict=strict) if fault.code == "LNT001"}
        assert severities == {"error" if strict else "info"}
    strictly_read, read_as_is = strictly(manifests, strict=True), strictly(manifests, strict=False)
    notes = ("LNT001", "LNT002")
    others = [fault for fault in read_as_is if fault.code not in notes]
    assert {"warning", "info"} & {fault.severity for fault in others}
    assert [fault for fault in strictly_read if fault.code not in notes] == others
    assert {fault.severity for fault in strictly(manifests, strict=True) if fault.code == "LNT002"} == {"error"}
    assert "info" in {fault.severity for fault in strictly(manifests, strict=False) if fault.code == "LNT002"}


def test_a_kustomization_is_followed_to_the_files_that_it_names(tmp_path: Path) -> None:
    config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    files = {
        "app/own.yaml": config_map,
        "app/notes.txt": "",
        "app/base/kustomization.yaml": "resources: [map.json]\n",
        "app/base/map.json": '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}',
        "app/empty/README.md": "",
        "beside/own.yaml": config_map,
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    outside = tmp_path / "app" / "link.yaml"
    outside.symlink_to(tmp_path / "beside" / "own.yaml")
    names = "[own.yaml, base, notes.txt, absent.yaml, empty, ../beside/own.yaml, /own.yaml, link.yaml]"
    manifests = read_manifests([Text("app/kustomization.yaml", f"resources: {names}\n", "kustomization.yaml")], None)
    assert sorted(manifests.files) == ["app/base/map.json", "app/own.yaml"]
    assert sorted(manifests.kustomizations) == ["app/base/kustomization.yaml", "app/kustomization.yaml"]
    assert sorted(fault.message for fault in manifests.faults) == [
        "/own.yaml is not read: it is an absolute path",
        "app/absent.yaml: does not exist",
        "app/empty: the directory has no kustomization.yaml",
        "app/link.yaml is not read: it points outside through a symbolic link",
        "app/notes.txt is not read: it has an unsupported extension; expected .yaml, .yml, .json",
        "beside/own.yaml is not read: it is outside the directory and its Git work tree",
    ]


def test_a_fault_of_a_kustomization_that_is_named_twice_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "app" / "base").mkdir(parents=True)
    (tmp_path / "app" / "base" / "kustomization.yaml").write_text("resources: [absent.yaml]\n", encoding="utf-8")
    resources = "resources: [base, ./base, base/kustomization.yaml]\n"
    manifests = read_manifests([Text("app/kustomization.yaml", resources, "kustomization.yaml")], None)
    assert [fault.message for fault in manifests.faults] == ["app/base/absent.yaml: does not exist"]


def test_a_file_of_a_chart_without_actions_is_read() -> None:
    config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    action = config_map.replace("name: a", 'name: "{{ .Values.name }}"')
    texts = {"c/Chart.yaml": "name: c\n", "c/templates/a.yaml": config_map, "c/templates/b.yaml": action}
    files = read(texts, frozenset()).files
    assert [loaded.body["metadata"]["name"] for loaded in files["c/templates/a.yaml"].objects] == ["a"]
    assert str(files["c/templates/b.yaml"].template) == "c/templates/b.yaml:3:19"


@pytest.mark.parametrize(
    ("file", "chart"),
    [
        ("templates/a.yaml", ""),
        ("charts/sub/templates/a.yaml", ""),
        ("charts/sub/charts/deep/templates/x/a.yaml", ""),
        ("own/templates/a.yaml", "own"),
        ("own/charts/templates/a.yaml", None),
        ("own/templates", None),
        ("own/values.yaml", None),
        ("other/templates/a.yaml", None),
    ],
)
def test_the_chart_of_a_template(file: str, chart: str | None) -> None:
    assert chart_of(file, {"", "own"}) == chart


def test_a_folder_is_a_chart_only_by_its_definition() -> None:
    files = ["gpu/Chart.yaml", "gpu/values.yaml", "web/values.yaml", "web/templates/a.yaml", "Chart.yaml.orig"]
    assert charts_of(files) == {"gpu"}


def test_notes_about_templates_name_the_command(snapshot: SnapshotAssertion) -> None:
    manifests = read(CONTENTS, frozenset())
    assert [_fault(fault) for fault in unrendered_notes(manifests.files, {"chart", ""}, ("read", "import"))] == snapshot
