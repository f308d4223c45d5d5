"""Output is escaped: names and values cannot inject anything into a terminal, a pipeline or a page."""

import json
import os
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gitgpu.report import format_names
from tests.cli.conftest import Ran, Run
from tests.cli.fleets import HEAD, SOUND, write

HOSTILE = (
    "\x1b[31mred",
    "\x1b]8;;https://evil.example\x07link\x1b]8;;\x07",
    "bell\x07\x08\x7f\x9b2J",
    "line\nForged: no findings",
    "cr\rForged: no findings",
    "\u202egnp.exe\u2066",
    "sep\u2028Forged: no findings\u2029",
    "##vso[task.setvariable variable=x]y",
    "a ##VSO[task.complete result=Succeeded;]",
    "##[error]no",
    "::set-output name=x::y",
    "\n::add-mask::x",
    "\r  ::error::x",
    "\u2003::warning::x",
    "<script>alert(1)</script>",
    "]]></system-out><!-- &amp; --><x y='z' w=\"v\">",
    "a|b `c` [d](javascript:e) @everyone #1 $x$ ![i](j) \\",
    "x" * 3000,
    "-%0A::error::%25",
)
FORGED = re.compile(r"^\W*(Forged:|::|##)", re.MULTILINE)
GITHUB = re.compile(r"::(error|warning|notice) [^\r\n]*::[^\r\n]*")
AZURE = re.compile(r"##vso\[task\.logissue [^\]]*\][^\r\n]*")
COMMANDS = re.compile(r"##(vso)?\[", re.IGNORECASE)


def acts(text: str) -> list[str]:
    """The characters that control a terminal, reorder text, or cannot be encoded."""
    there = sorted(set(text) - {"\n", "\t"})
    return [c for c in there if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


def check(ran: Ran, form: str = "text") -> None:
    """Asserts that stdout and stderr have no such character, and that a document can be parsed."""
    assert acts(ran.out + ran.err) == []
    assert not any(line.strip().startswith("::") or COMMANDS.search(line) for line in ran.err.splitlines())
    lines = ran.out.splitlines()
    if form == "github":
        assert all(GITHUB.fullmatch(line) for line in lines)
        lines = [line.split("::", 2)[2] for line in lines]
    if form == "azure":
        lines = [line.split("]", 1)[1] if AZURE.fullmatch(line) else line for line in lines]
    assert [line for line in lines if COMMANDS.search(line)] == []
    assert [line for line in lines if line.strip().startswith(("::", "Forged:"))] == []
    assert not any(line.startswith("Forged:") for line in ran.err.splitlines())
    if form in ("json", "sarif") and (ran.out or ran.code != 2):  # a plan that fails reports the reason only on stderr
        json.loads(ran.out)
    if form == "junit":
        ET.fromstring(ran.out)
    if form in ("html", "junit", "markdown"):
        assert "<script" not in ran.out
    if form == "markdown":
        assert "@everyone" not in ran.out
        rows = [re.sub(r"\\.", "", line) for line in ran.out.splitlines() if line.startswith("|")]
        assert {row.count("|") for row in rows} <= {5}


def quoted(text: str) -> str:
    """A text as a YAML scalar with exactly this value."""
    return json.dumps(text)


def file_name(text: str) -> str:
    """The text without the characters that a file name cannot have."""
    return text.replace("/", "_")[:200]


def manifests(text: str) -> str:
    """Objects with the text in every place that findings and reports quote."""
    name = quoted(text)
    meta = f"metadata: {{name: {name}, namespace: {name}, labels: {{{name}: {name}}}, {name}: 1}}"
    pod = (
        f"nodeSelector: {{{name}: {name}, karpenter.sh/nodepool: {name}}}, "
        f"containers: [{{name: {name}, image: {name}, resources: {{limits: {{nvidia.com/gpu: 1, {name}: {name}}}}}}}]"
    )
    template = f"{{metadata: {{labels: {{a: b}}}}, spec: {{{pod}}}}}"
    deployment = f"{{replicas: {name}, selector: {{matchLabels: {{a: b}}}}, template: {template}}}"
    pool = (
        f"  {name}: 1\n  template:\n"
        f"    spec:\n      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: {name}}}\n"
        "      requirements:\n"
        f"      - {{key: karpenter.azure.com/sku-name, operator: In, values: [{name}, Standard_NC16as_T4_v3]}}\n"
        f"      taints: [{{key: {name}, value: {name}, effect: NoSchedule}}]\n"
    )
    return "---\n".join(
        (
            f"apiVersion: apps/v1\nkind: Deployment\n{meta}\nspec: {deployment}\n",
            f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: {name}}}\nspec: {{{pod}}}\n",
            f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p, namespace: d}}\nspec: {{{pod}}}\n",
            f"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {{name: {name}}}\nspec:\n{pool}",
            f"apiVersion: {name}\nkind: {name}\n{meta}\n",
            f"apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\n{meta}\nspec: {{imageFamily: {name}}}\n",
        )
    )


def hostile_tree(text: str, folder: str) -> None:
    """A directory with hostile names: of files, in objects, in a kustomization."""
    Path(folder).mkdir(parents=True)
    Path(folder, file_name(text) + ".yaml").write_text(manifests(text), encoding="utf-8")
    Path(folder, "kustomization.yaml").write_text(f"resources: [{quoted(text)}]\nnamePrefix: {quoted(text)}\n", "utf-8")
    Path(folder, file_name(text) + "broken.yaml").write_text(f"{quoted(text)}: [\n# {{{{ .Values.x }}}}\n", "utf-8")


@pytest.mark.parametrize("form", format_names())
def test_lint_escapes_names_and_values_of_manifests(run: Run, form: str) -> None:
    for number, text in enumerate(HOSTILE):
        hostile_tree(text, f"d/{number}")
    check(run("lint", "d", "-o", form), form)
    if form in ("text", "github"):  # the other formats use the same code
        check(run("lint", "d", "-o", form, "--diff"), form)
    if form == "text":
        check(run("lint", "d", "--fix"))


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_simulate_escapes_names_and_values_of_manifests(run: Run, form: str) -> None:
    for number, text in enumerate(HOSTILE):
        hostile_tree(text, f"d/{number}")
        write(manifests(text), f"ok/{number}{file_name(text)}.yaml")
    check(run("simulate", "--pools", "d", "--workloads", "d", "-o", form), form)
    check(run("simulate", "--pools", "ok", "--workloads", "ok", "-o", form), form)
    check(run("simulate", "--pools", "none", "-o", form), form)


def fleet(text: str) -> str:
    """A fleet with the text in names, keys, labels and versions."""
    name = quoted(text)
    more = f"---\n{HEAD}GpuPool\nmetadata: {{name: {name}, {name}: {name}}}\nspec: {name}\n"
    labels = SOUND.replace("name: c1}", f"name: c1, labels: {{{name}: {name}}}}}")
    return labels.replace('kubernetesVersion: "1.36"', f'kubernetesVersion: "1.36", {name}: 1') + more


@pytest.mark.parametrize("form", format_names())
def test_names_and_values_of_a_fleet_are_escaped(run: Run, form: str) -> None:
    for number, text in enumerate(HOSTILE):
        tagged = SOUND.replace("limits:", f"tags: {{{quoted(text)}: {quoted(text)}}}, limits:")
        write(fleet(text), f"fleet/{number}{file_name(text)}.yaml")
        write(tagged, f"fleet/{file_name(text)}{number}.yaml")
    check(run("validate", "-o", form), form)
    check(run("build", "-o", form, "--check"), form)
    if form in ("text", "json", "markdown"):
        check(run("plan", "-o", form), "text" if form == "markdown" else form)
    if form in ("text", "json"):
        check(run("simulate", "-o", form), form)
    if form == "text":
        check(run("simulate", "-o", "html"), "html")


@pytest.mark.parametrize("form", format_names())
def test_an_edited_output(run: Run, form: str) -> None:
    """The documented command for pipelines prints a diff in addition to its report."""
    write(SOUND)
    run("build")
    edited = next(Path("overlays/c1/nodes").glob("nodepool-*.yaml"))
    edited.write_bytes((edited.read_text() + "".join(f"{text}\n  {text}\n" for text in HOSTILE)).encode())
    check(run("build", "--check", "-o", form), form)
    if form in ("text", "json", "markdown"):
        check(run("plan", "-o", form), "text" if form == "markdown" else form)
    strangers = [Path("overlays/c1/nodes", file_name(text)) for text in HOSTILE]
    for path in strangers:
        path.touch()
    check(run("build", "--check", "-o", form), form)
    check(run("build", "-o", form), form)
    for path in strangers:
        path.unlink()
    check(run("build", "-o", form), form)


@pytest.mark.parametrize("text", [*HOSTILE, os.fsdecode(b"\xff\xfe##vso[x]")], ids=range(len(HOSTILE) + 1))
def test_arguments_are_escaped(run: Run, text: str) -> None:
    write(SOUND)
    commands: Sequence[Sequence[str]] = (
        (text,),
        ("lint", text),
        ("lint", "--crds", text),
        ("lint", "--values", text),
        ("lint", "--values", f"{text}={text}"),
        ("lint", "--select", text),
        ("lint", "--kubernetes-version", text),
        ("lint", "--skip", text),
        ("lint", "-o", text),
        ("lint", f"--{text}"),
        ("validate", text),
        ("validate", "--today", text),
        ("build", "--cluster", text),
        ("build", "--shard", text),
        ("build", "--out", file_name(text), "--check"),
        ("build", "--out", file_name(text)),
        ("plan", "--against", text),
        ("plan", "--cluster", text),
        ("plan", "--protect", text, "--fail-on", "replace"),
        ("simulate", "--cluster", text),
        ("simulate", "--pools", text),
        ("simulate", "--workloads", text),
        ("simulate", "--spot-price", f"{text}=1"),
        ("simulate", "--node-overhead", text),
        ("simulate", "--region", text, "--pools", "."),
        ("sku", "show", text),
        ("sku", "list", "--model", text),
        ("rule", "show", text),
        ("explain", text),
        ("explain", f"GpuPool.{text}"),
        ("schema", text),
        ("completion", text),
        ("init", file_name(text)),
    )
    for words in commands[HOSTILE.index(text) % 2 :: 2] if text in HOSTILE else commands:
        check(run(*words))


@pytest.mark.parametrize("text", HOSTILE[::6], ids=range(len(HOSTILE[::6])))
def test_names_and_values_of_a_configuration_are_escaped(run: Run, text: str) -> None:
    name = quoted(text)
    head = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
    Path("mine/skus").mkdir(parents=True)
    Path("mine/skus", file_name(text) + ".yaml").write_text(f"name: {name}\n{name}: {name}\n", "utf-8")
    write(SOUND)
    for content in (
        f"{name}: {name}\n",
        f"fleet: [{name}]\n",
        f"out: {quoted(file_name(text))}\n",
        f"catalog: [{name}, mine]\n",
        f"lint: {{paths: [{name}], crds: [{name}], values: {{{name}: [{name}]}}}}\n",
        f"allow: [{{code: {name}, reason: {name}, file: {name}}}]\n",
    ):
        Path(".gitgpu.yaml").write_text(head + content, "utf-8")
        for words in (["lint"], ["build"], ["sku", "list"]):  # the others read it with the same code
            check(run(*words))


def test_a_diff_is_not_escaped_where_patch_needs_the_characters(run: Run) -> None:
    write(SOUND)
    run("build")
    edited = next(Path("overlays/c1/nodes").glob("nodepool-*.yaml"))
    edited.write_text(edited.read_text() + "# a\u00a0b\u3000c\td\r\n# e\u2028f\n")
    shown = run("build", "--check").out
    assert "-# a\u00a0b\u3000c\td\r\n-# e\\u2028f\n" in shown
