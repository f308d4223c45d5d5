"""Parts of commands, tested separately: what options select, which paths are shown, and the exit code."""

import os
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest

from gitgpu.cli import options
from gitgpu.cli.building.arguments import BuildArguments
from gitgpu.cli.codes import current, replaced
from gitgpu.cli.comparison.older_catalog import older_catalog
from gitgpu.cli.fixes import apply_fixes
from gitgpu.cli.input.cluster_selection import ClusterSelection, cluster_selection
from gitgpu.cli.input.linting import newest
from gitgpu.cli.input.recorded_clusters import recorded_clusters, versions_in, versions_of_files
from gitgpu.cli.input.regions import known_region
from gitgpu.cli.input.size_filter import SizeFilter
from gitgpu.cli.input.texts import PIPED, by_name, with_notes
from gitgpu.cli.linting import kinds_of_some
from gitgpu.cli.output.outcome import exit_code
from gitgpu.cli.output.provenance import basis
from gitgpu.cli.output.refusal import wants_json
from gitgpu.cli.output.shown_paths import shown
from gitgpu.cli.overview import command_name, overview
from gitgpu.cli.settings import FindingOptions
from gitgpu.cli.spec_changes.targets import unknown_ring
from gitgpu.diagnostic import Change, Diagnostic, Edit, Severity
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.model.size.availability import gpu_memory, node_gpu_memory, sold
from gitgpu.report.findings import Findings
from gitgpu.source import Span
from gitgpu.write.cluster_record import ClusterRecord

CATALOG = catalog(())
NAMES = ("prod-b", "dev", "prod-a", "test", "prod-c")


@pytest.mark.parametrize(
    ("globs", "shard", "picked"),
    [
        ((), None, ["dev", "prod-a", "prod-b", "prod-c", "test"]),
        (("prod-*",), None, ["prod-a", "prod-b", "prod-c"]),
        (("dev", "t?st"), None, ["dev", "test"]),
        ((), "1/2", ["dev", "prod-b", "test"]),
        ((), "2/2", ["prod-a", "prod-c"]),
        (("prod-*",), "3/3", ["prod-c"]),
        ((), "6/6", []),
        (("none",), None, []),
    ],
)
def test_clusters_that_options_select(globs: tuple[str, ...], shard: str | None, picked: list[str]) -> None:
    selection = cluster_selection(globs, shard)
    assert list(selection.pick(NAMES)) == picked
    assert selection.everything is (not globs and shard is None)
    assert selection.has_others is (not globs and shard in (None, "1/2"))
    if globs and not picked:
        with pytest.raises(click.UsageError, match="no cluster matches none; the clusters of this fleet: dev, prod-a"):
            selection.require(NAMES)
    else:
        assert list(selection.require(NAMES)) == picked


@pytest.mark.parametrize("shard", ["0/1", "2/1", "1", "1/", "a/b", "1/2/3", "123456/123456", "", "-1/2", "1/0"])
def test_shards_that_do_not_exist(shard: str) -> None:
    with pytest.raises(click.BadParameter, match="is not I/N with I from 1 to N"):
        cluster_selection((), shard)
    assert ClusterSelection().everything


def test_regions_of_the_command_line() -> None:
    assert [known_region(text, CATALOG) for text in ("eastus", "East US", "")] == ["eastus", "eastus", ""]
    for text, message in (("eastuss", "did you mean eastus"), ("zzz", "'zzz' is not a known Azure region$")):
        with pytest.raises(click.BadParameter, match=message):
            known_region(text, CATALOG)


def sizes(**wanted: Any) -> list[str]:
    """The names of the sizes that match options of `sku list`."""
    usual: dict[str, Any] = dict.fromkeys(SizeFilter._fields) | {"region": ""}
    return [offer.sku.name for offer in SizeFilter(**(usual | wanted)).offers(CATALOG)]


def test_sizes_that_options_select() -> None:
    every = {sku.name: sku for sku in CATALOG.skus}
    assert sizes() == list(every)
    assert sizes(model="rtx-pro 6000") == [
        name for name, sku in every.items() if sku.gpu and sku.gpu.model == "RTX PRO 6000"
    ]
    assert sizes(status="retired") == [name for name, sku in every.items() if sku.lifecycle.status == "retired"]
    for flag in (True, False):
        assert sizes(mig=flag) == [name for name, sku in every.items() if sku.mig is flag]
        assert sizes(rdma=flag) == [name for name, sku in every.items() if sku.rdma is flag]
    least = {name: gpu_memory(sku) for name, sku in every.items()}
    assert sizes(gpu_memory=80.0) == [name for name, memory in least.items() if memory is not None and memory >= 80]
    prices = {name: sold(CATALOG, sku).price for name, sku in every.items()}
    dear = sorted({price for price in prices.values() if price is not None})[10]
    assert sizes(max_price=dear) == [name for name, price in prices.items() if price is not None and price <= dear]
    here = {name: sold(CATALOG, sku, "eastus") for name, sku in every.items()}
    assert sizes(region="East US") == [name for name, sale in here.items() if "eastus" in sale.regions]


def test_sizes_in_order() -> None:
    every = {sku.name: sku for sku in CATALOG.skus}
    prices = [sold(CATALOG, every[name]).price for name in sizes(sort="price")]
    known = [price for price in prices if price is not None]
    assert known == sorted(known)
    assert prices[: len(known)] == known, "sizes without a price come last"
    counts = [every[name].gpus or 0 for name in sizes(sort="gpus")]
    assert counts == sorted(counts, reverse=True)
    memory = [node_gpu_memory(every[name]) or 0 for name in sizes(sort="memory")]
    assert memory == sorted(memory, reverse=True)
    alike = [name for name in sizes(sort="gpus") if every[name].gpus == 1]
    assert alike == sorted(alike)


def test_the_newest_version_of_kubernetes() -> None:
    rows = CATALOG.rows("kubernetes")
    minor = newest(CATALOG)
    assert rows[minor]["aks"]["status"] == "ga"
    newer = [name for name in rows if int(name.partition(".")[2]) > int(minor.partition(".")[2])]
    assert all(rows[name]["aks"]["status"] != "ga" for name in newer)


def test_versions_that_overlays_record(tmp_path: Path) -> None:
    assert versions_in({"a": ClusterRecord("1.35", {}), "b": ClusterRecord("", {})}) == {"a": "1.35"}
    head = "# Generated by gitgpu from Cluster a.\n# Do not edit {}: change the spec and run `gitgpu build`.\n"
    (tmp_path / "a").mkdir()
    index = f"{head.format('a/kustomization.yaml')}# Kubernetes 1.35\nkind: Kustomization\n"
    (tmp_path / "a" / "kustomization.yaml").write_text(index)
    texts = [
        Text(str(tmp_path / "a/nodes/x.yaml"), head.format("a/nodes/x.yaml"), "x"),
        Text(str(tmp_path / "b/nodes/x.yaml"), head.format("b/nodes/x.yaml"), "x"),
        Text(str(tmp_path / "a/nodes/y.yaml"), head.format("a/other/y.yaml"), "y"),
        Text(str(tmp_path / "a/nodes/z.yaml"), "kind: Pod\n", "z"),
    ]
    assert versions_of_files(texts) == {(str(tmp_path / "a/nodes/x.yaml"), "1.35")}
    assert recorded_clusters(str(tmp_path)) == {"a": ClusterRecord("1.35", {})}
    assert recorded_clusters(str(tmp_path / "none")) == {}


def test_files_that_are_named_and_broken_links(tmp_path: Path) -> None:
    texts = [Text("a/b.yaml", "", "b"), Text("c.yaml", "", "c"), Text(PIPED, "", PIPED)]
    assert by_name(texts, ["a", "./c.yaml", "-"]) == {"c.yaml", PIPED}
    assert by_name(texts, ["a/../a/b.yaml"]) == {"a/b.yaml"} or by_name(texts, ["a/b.yaml"]) == {"a/b.yaml"}
    link = tmp_path / "link.yaml"
    link.symlink_to("nowhere")
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"apiVersion: v1 # \xe9")
    faults = [
        Diagnostic("INP001", Severity.ERROR, "cannot be read", "check it", Span(str(link))),
        Diagnostic("INP001", Severity.ERROR, "cannot be read", "check it", Span(str(tmp_path / "none"))),
        Diagnostic("INP002", Severity.ERROR, "not UTF-8", "save it", Span(str(latin))),
    ]
    _, diagnostics = with_notes([str(tmp_path)], [], faults)
    assert [(fault.code, fault.severity) for fault in diagnostics] == [
        ("LNT013", Severity.INFO), ("INP001", Severity.ERROR), ("INP002", Severity.ERROR),
    ]  # fmt: skip
    assert (diagnostics[0].message, diagnostics[0].help) == (
        "broken symbolic link: not checked",
        "remove the link, or check out its target",
    )
    _, own = with_notes([f"{tmp_path}/./link.yaml"], [], faults)
    assert own[0].code == "INP001"


def fault(code: str, severity: Severity, file: str = "a.yaml", message: str = "wrong") -> Diagnostic:
    """A finding."""
    return Diagnostic(code, severity, message, "correct it", Span(file, 1, 1))


@pytest.mark.parametrize(
    ("faults", "codes"),
    [
        ([], [0, 0, 0, 0]),
        ([("NPL001", Severity.ERROR)], [1, 1, 1, 0]),
        ([("NPL001", Severity.WARNING)], [0, 1, 1, 0]),
        ([("NPL001", Severity.INFO)], [0, 0, 1, 0]),
        ([("INP001", Severity.INFO)], [2, 2, 2, 2]),
        ([("INT001", Severity.WARNING), ("OUT001", Severity.ERROR)], [2, 2, 2, 2]),
        ([("OUT001", Severity.ERROR)], [1, 1, 1, 1]),
        ([("OUT011", Severity.ERROR)], [1, 1, 1, 1]),
        ([("OUT010", Severity.ERROR)], [1, 1, 1, 0]),
        ([("OUT001", Severity.WARNING)], [0, 1, 1, 0]),
    ],
)
def test_the_exit_code_of_findings(faults: list[tuple[str, Severity]], codes: list[int]) -> None:
    findings = Findings(tuple(fault(*each) for each in faults), 1, 1)
    assert [exit_code(findings, level) for level in ("error", "warning", "info", "never")] == codes


@pytest.mark.parametrize(
    ("words", "json"),
    [
        ([], False), (["-o", "json"], True), (["-ojson"], True), (["--output=json"], True),
        (["--output", "json"], True),
        (["-o", "json", "-o", "text"], False), (["-o", "text", "--output=json"], True), (["--", "-o", "json"], False),
        (["-o"], False), (["-o", "yaml"], False), (["x", "-o", "json", "y"], True), (["--out", "json"], False),
    ],
)  # fmt: skip
def test_command_lines_that_ask_for_json(words: list[str], json: bool) -> None:
    assert wants_json(words) is json


def test_codes_that_another_rule_replaces() -> None:
    old, new = next(iter(replaced().items()))
    assert (current(old, set), current(old, lambda: {old})) == (new, old)
    assert (current(new, set), current("SKU", set), current("XYZ999", set)) == (new, "SKU", "XYZ999")


def test_paths_from_the_root_of_a_work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.yaml").touch()
    monkeypatch.chdir(tmp_path / "sub")
    each = fault("NPL001", Severity.ERROR, "a.yaml", "as at a.yaml:3:4, not b-a.yaml:3:4 or other.yaml:1:1")
    findings = Findings((each, fault("NPL001", Severity.ERROR, PIPED)), 1, 1, {"a.yaml": "x"})
    [first, piped] = shown(findings, "github").diagnostics
    assert (first.span.file, piped.span.file) == ("sub/a.yaml", PIPED)
    assert first.message == "as at sub/a.yaml:3:4, not b-a.yaml:3:4 or other.yaml:1:1"
    assert list(shown(findings, "sarif").sources) == ["sub/a.yaml"]
    assert shown(findings, "text") is findings


def edit(at: int, text: str, file: str = "a.yaml") -> Diagnostic:
    """A finding with a fix of a value."""
    place = Span(file, at, 4)
    return fault("NPL001", Severity.ERROR, file)._replace(edit=Edit(Change.VALUE, place, text=text))


def test_fixes_are_applied_until_none_is_left() -> None:
    texts = {"a.yaml": Text("a.yaml", "a: 1\n", "a"), "b.yaml": Text("b.yaml", "b: 1\n", "b")}

    def look(now: Any) -> list[Diagnostic]:
        value = int(now["a.yaml"].content.split()[1])
        return [edit(1, str(value + 1)), edit(1, "9", "b.yaml")] if value < 4 else []

    made = apply_fixes(texts, look, ["a.yaml"])
    assert [text.content for text in made.changed] == ["a: 4\n"]
    assert (made.times, made.left, made.texts["b.yaml"]) == ({"a.yaml": 3}, 1, texts["b.yaml"])
    endless = apply_fixes(texts, lambda now: [edit(1, str(int(now["a.yaml"].content.split()[1]) + 1))], ["a.yaml"])
    assert endless.times == {"a.yaml": 10}
    nothing = apply_fixes(texts, lambda _: [fault("NPL001", Severity.ERROR)], ["a.yaml"])
    assert (nothing.changed, nothing.times, nothing.left) == ((), {}, 0)


def git(*words: str) -> None:
    """Runs Git here."""
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit of a fleet and a catalog."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    (tmp_path / "fleet").mkdir()
    (tmp_path / "fleet" / "a.yaml").write_text("a: 1\n")
    (tmp_path / "mine" / "gpus").mkdir(parents=True)
    (tmp_path / "mine" / "gpus" / "X.yaml").write_text("name: X\n")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    return tmp_path


def test_the_origin_of_a_page(repository: Path) -> None:
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    clean = basis("contoso", ["fleet"], CATALOG)
    assert (clean.commit, clean.changed) == (commit[:12], False)
    (repository / "fleet" / "a.yaml").write_bytes(b"a: 1\r\n")
    assert not basis("contoso", ["fleet", "-"], CATALOG).changed
    (repository / "fleet" / ".hidden.yaml").write_text("x")
    assert not basis("contoso", ["fleet"], CATALOG).changed
    (repository / "fleet" / "a.yaml").write_text("a: 2\n")
    assert basis("contoso", ["fleet"], CATALOG).changed
    (repository / "new").mkdir()
    (repository / "new" / "b.yaml").write_text("b: 1\n")
    assert basis("contoso", ["new"], CATALOG).commit == ""
    partly = basis("contoso", ["fleet", "new"], CATALOG)
    assert (partly.commit, partly.changed) == (commit[:12], True)
    assert basis("contoso", ["-"], CATALOG).commit == ""
    outside = os.path.dirname(repository)
    assert basis("contoso", ["fleet", outside], CATALOG).commit == ""


def test_the_older_catalog(repository: Path) -> None:
    mine = Folder("mine", "mine")
    (repository / "mine" / "gpus" / "Y.yaml").write_text("name: Y\n")
    older = older_catalog(None, (mine,))
    [folder] = older.folders
    assert (older.description, folder.path, folder.label) == ("the catalog of HEAD", "HEAD:mine", "mine")
    assert folder.texts == {"gpus/X.yaml": "name: X\n"}
    assert older_catalog("nowhere", (mine,)).faults[0].code == "INP008"
    assert older_catalog("HEAD", (Folder("fleet/none", "x"),)).folders == ()
    with pytest.raises(click.UsageError, match="lists no directory"):
        older_catalog(None, ())
    (repository / "other" / "gpus").mkdir(parents=True)
    (repository / "other" / "gpus" / "X.yaml").write_text("name: X\n")
    replaced_folder = older_catalog("other/", (mine,))
    assert replaced_folder.folders == (Folder("other", "mine"),)
    assert replaced_folder.description == "the catalog in other"
    assert older_catalog("other", ()).folders == (Folder("other", "other"),)
    several = (mine, Folder("second", "second"))
    unknown = r"other is not one of the directories of `catalog` in \.gitgpu\.yaml: use the same name"
    with pytest.raises(click.UsageError, match=unknown):
        older_catalog("other", several)
    assert older_catalog("other", (mine, Folder("second", "other"))).folders == (mine, Folder("other", "other"))
    assert older_catalog("fleet", (mine,)).faults[0].code == "CAT006"


@pytest.mark.parametrize(
    ("when", "terminal", "environment", "colour"),
    [
        ("auto", True, {}, True), ("auto", False, {}, False), ("always", False, {}, True), ("never", True, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False), ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False), ("always", True, {"NO_COLOR": "1"}, True),
        ("auto", True, {"TERM": "xterm"}, True),
    ],
)  # fmt: skip
def test_colours_of_a_terminal(
    monkeypatch: pytest.MonkeyPatch, when: str, terminal: bool, environment: dict[str, str], colour: bool
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "77")
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    style = options.style(when)
    assert (style.colour, style.width) == (colour, 77 if terminal else 0)


def accepted(option: Any, *words: str) -> Any:
    """The value that a command gets for an option."""

    seen: dict[str, Any] = {}

    def command(**given: Any) -> None:
        seen.update(given)

    click.command()(option(command)).main(list(words), standalone_mode=False)
    return seen


def test_options_about_findings() -> None:
    usual = accepted(options.chosen)["chosen"]
    assert usual == ((), (), "", "", 1000)
    chosen = accepted(
        options.chosen, "--select", "sku, NPL010,", "--ignore", "A1", "--today", "2027-06-30", "--max-findings", "0"
    )["chosen"]
    assert (chosen.select, chosen.ignore, chosen.today, chosen.maximum) == (("SKU", "NPL010"), ("A1",), "2027-06-30", 0)
    assert [each.narrows for each in (usual, chosen, usual._replace(fail_on="info", maximum=1))] == [False, True, False]
    assert all(usual._replace(**{key: ("X",)}).narrows for key in ("select", "ignore"))
    for words, message in (
        (("--select", "SKUX001"), "'SKUX001' is not a code or code prefix"),
        (("--select", "SKU0001"), "is not a code"),
        (("--ignore", "1"), "is not a code"),
        (("--today", "2027-02-30"), "'2027-02-30' is not a date such as 2027-06-30"),
        (("--max-findings", "-1"), "not in the range"),
        (("--fail-on", "none"), "is not one of"),
    ):
        with pytest.raises(click.BadParameter, match=message):
            accepted(options.chosen, *words)


def test_numbers_of_processes() -> None:
    assert [accepted(options.jobs, "--jobs", number)["jobs"] for number in ("1", "256")] == [1, 256]
    assert accepted(options.jobs)["jobs"] is None
    for number in ("0", "257", "x"):
        with pytest.raises(click.BadParameter):
            accepted(options.jobs, "--jobs", number)


@pytest.mark.parametrize(
    ("text", "is_version"),
    [("1.35", True), ("v1.35.2", True), ("1.9", True), ("1", False), ("2.1", False), ("1.35.", False),
     ("1.35-x", False), ("1.1234", False)],
)  # fmt: skip
def test_versions_of_kubernetes_on_the_command_line(text: str, is_version: bool) -> None:
    context, parameter = click.Context(click.Command("x")), click.Option(["--kubernetes"])
    assert options.kubernetes(context, parameter, None) is None
    if is_version:
        assert options.kubernetes(context, parameter, text) == text
    else:
        with pytest.raises(click.BadParameter, match=r"is not a version such as 1\.35"):
            options.kubernetes(context, parameter, text)


def test_a_spec_that_is_edited_is_not_standard_input() -> None:
    options.no_standard_input(["a", "b"])
    with pytest.raises(click.UsageError, match="standard input cannot be edited"):
        options.no_standard_input(["a", "-"])


def test_builds_of_all_clusters() -> None:
    usual = BuildArguments((), None, False, ClusterSelection(), "text", FindingOptions(), "auto", (), None)
    assert usual.is_complete
    assert usual._replace(output_format="json", check=True).is_complete
    assert not usual._replace(output_format="json").is_complete
    assert not usual._replace(choice=ClusterSelection(("a",))).is_complete
    assert not usual._replace(choice=ClusterSelection((), 1, 2)).is_complete
    assert not usual._replace(chosen=FindingOptions(today="2027-01-01")).is_complete


def test_names_of_rings() -> None:
    def fleet(*rings: str) -> Any:
        spec = {"rings": [{"name": ring} for ring in rings]} if rings else {}
        return type("Fleet", (), {"data": {"spec": spec}})()

    assert unknown_ring(fleet("canary", "broad"), "broad") is None
    assert unknown_ring(fleet("canary", "broad"), "brod") == ("the fleet has no ring 'brod'", "did you mean broad?")
    assert unknown_ring(fleet("canary", "broad"), "zz") == ("the fleet has no ring 'zz'", "known names: canary, broad")
    assert unknown_ring(fleet(), "zz") == (
        "the fleet has no ring 'zz', because it has no rings", "set spec.rings in the Fleet",
    )  # fmt: skip


def test_the_overview_without_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert overview(["-V"]) == overview(["--version"]) != ""
    assert overview(["-h"]) == overview(["--help"])
    assert max(map(len, overview(["-h"]).splitlines())) <= 80
    assert [overview(words) for words in ([], ["-h", "build"], ["build", "-h"])] == ["", "", ""]
    monkeypatch.setenv("COLUMNS", "60")
    assert (overview(["-h"]), overview(["-V"]) != "") == ("", True)
    monkeypatch.setenv("_GITGPU_COMPLETE", "bash_complete")
    assert overview(["-V"]) == ""
    assert [command_name(name) for name in ("import_", "build")] == ["import", "build"]


def test_the_kinds_of_many_texts_are_those_of_some_of_them() -> None:
    """Their rules are imported while other processes read the rest."""
    head = "apiVersion: v1\nkind: {}\nmetadata: {{name: a}}\n"
    pod, secret, queue = (head.format(kind) for kind in ("Pod", "Secret", "Queue"))

    def kinds(*contents: str) -> list[str]:
        texts = [Text(f"{number}.yaml", content, "") for number, content in enumerate(contents)]
        return sorted(kind for _, kind in kinds_of_some(texts))

    assert kinds() == []
    assert kinds(f"{pod}---\n{secret}", queue, "a: [") == ["Pod", "Queue", "Secret"]
    assert kinds(*[pod, secret] * 19, queue) == ["Pod", "Queue", "Secret"]
    assert kinds(*[pod, secret] * 20) == ["Pod"]
    assert kinds(*[pod, secret] * 40, queue) == ["Pod", "Secret"]
    assert kinds(f"{pod}---\n{'# a long comment' * 1000}\n---\n{secret}") == ["Pod"]
    assert kinds(f"{pod}#{'a' * 20_000}\n") == []
