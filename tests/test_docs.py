"""The documentation is correct: links work, YAML is valid, commands exist, quoted output is real."""

import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
import pytest

from gitgpu.cli.main import main
from gitgpu.diagnostic import Severity
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.parse.yaml import parse
from gitgpu.load.read import data_text
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.load.validate.compiler import compile_schema
from gitgpu.model.catalog import catalog
from gitgpu.runs.build import build, build_checked
from gitgpu.runs.validate import read_fleet, validate_texts
from tests.helping.cases import for_each
from tests.helping.doc_fleets import completed, is_fleet
from tools.reference_pages import root

ROOT = Path(__file__).parents[1]
VERDICTS = ROOT / "tests" / "simulate" / "verdicts"
PAGES = sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))
OURS = "gitgpu.dev/v1alpha1"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
# A block in a list is indented.
FENCE = re.compile(
    r"(?:<!-- from (?P<origin>\S+) -->\n)?^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
REFERENCE = re.compile(r"^\[([A-Z]{3}\d{3})\]: (\S+)$", re.MULTILINE)
INLINE = re.compile(r"`(gitgpu [^`]+)`")


class Block(NamedTuple):
    """A fenced block. `origin` is the file that it is quoted from, if the page names one."""

    origin: str
    language: str
    text: str


@cache
def read(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


def each_page(sign: str = "", *, rules: bool = True) -> pytest.MarkDecorator:
    """Runs a test for each page that contains the sign, with or without the pages of rules."""
    paths = [page for page in PAGES if sign in read(page) and (rules or page.parent.name != "rules")]
    return pytest.mark.parametrize("page", paths, ids=lambda page: page.relative_to(ROOT).as_posix())


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page."""
    return [block_of(match) for match in FENCE.finditer(read(page))]


def block_of(match: re.Match[str]) -> Block:
    """A block without the indent of its list."""
    text = re.sub(f"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
    return Block(match["origin"] or "", match["language"], text)


def prose(page: Path) -> str:
    """A page without its blocks."""
    return FENCE.sub("", read(page))


@cache
def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page, and those that it sets itself."""
    plain = (re.sub(r"[^\w\- ]", "", title.lower()) for title in HEADING.findall(prose(page)))
    own = re.findall(r'^<a id="([\w-]+)"></a>$', prose(page), re.MULTILINE)
    return {*own, *(title.strip().replace(" ", "-") for title in plain)}


def test_the_targets_of_links_exist() -> None:
    links = [(page, target) for page in PAGES for target in LINK.findall(prose(page))]
    inside = [(page, target) for page, target in links if not re.match(r"https?://|mailto:", target)]
    assert [(page.name, target) for page, target in inside if not leads_somewhere(page, target)] == []


def leads_somewhere(page: Path, target: str) -> bool:
    """Whether the target is a file of the project, with this heading if there is an anchor."""
    path, _, anchor = target.partition("#")
    there = (page.parent / path).resolve() if path else page
    return there.exists() and there.is_relative_to(ROOT) and (not anchor or anchor in anchors(there))


@for_each("page", [page for page in PAGES if page.parent.name in ("how-to", "explanation")])
def test_a_code_links_to_its_rule(page: Path) -> None:
    leads = dict(REFERENCE.findall(read(page)))
    text = REFERENCE.sub("", re.sub(r"`[^`]+`", "", prose(page)))
    assert set(re.findall(r"[A-Z]{3}\d{3}", text)) == set(leads) == set(re.findall(r"\[([A-Z]{3}\d{3})\]", text))
    assert not re.findall(r"(?<!\[)\b[A-Z]{3}\d{3}", text)
    for code, target in leads.items():
        assert code in read(page.parent / target)


def test_the_yaml_of_the_pages_is_valid() -> None:
    """All YAML parses, and gitgpu's own documents have the right shape."""
    written = [(page, block) for page in PAGES for block in blocks(page) if block.language == "yaml"]
    for page, block in written:
        documents, faults = parse(Text(page.name, block.text, page.name))
        assert not faults, faults
        ours = [
            document.data
            for document in documents
            if isinstance(document.data, dict) and document.data.get("apiVersion") == OURS
        ]
        if any(body["kind"] == "Config" for body in ours):
            assert all(map(compile_schema(config_schema()), ours)), page.name
        elif ours:
            assert shape([Text(page.name, block.text, page.name)])[1] == [], page.name


# Errors that are caused by a cluster or a pool that was added to the documents of the page.
OF_THE_PAGE = {"AGP001", "AGP004", "DRA007", "KTO001", "MET060", "RDM003", "SCH009", "SCL006", "SCL028"}


@each_page("```yaml", rules=False)  # the page of a rule has a bad example
def test_a_fleet_on_a_page_is_valid(page: Path) -> None:
    """Readers can copy it: together with the objects that it refers to, it is valid. A whole fleet builds unchanged."""
    for block in (block for block in blocks(page) if block.language == "yaml" and is_fleet(block.text)):
        whole = "kind: Fleet" in block.text and "kind: Cluster" in block.text
        text = block.text if whole else completed(block.text)
        checked = validate_texts([Text(page.name, text, page.name)])
        errors = {each.code: each.message for each in checked.diagnostics if each.severity is Severity.ERROR}
        assert errors.keys() <= (set() if whole else OF_THE_PAGE), errors
        assert not whole or build_checked(checked).errors == ()


@each_page("\nverified: ")
def test_catalog_rows_on_pages_are_valid(page: Path, tmp_path: Path) -> None:
    """Readers can copy it: a row, with the path of its file in the first line, is read without a fault."""
    text = page.read_text(encoding="utf-8")
    rows = re.findall(r"`(catalog-[\w-]+/\w+/[\w.-]+\.yaml)`:\n\n```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for path, row in rows:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(row, encoding="utf-8")
    known = catalog(tuple(Folder(str(folder), folder.name) for folder in sorted(tmp_path.glob("catalog-*")))).files
    assert known.faults == []
    assert len(rows) == text.count("\nverified: ")


def config_schema() -> dict[str, object]:
    """The schema of .gitgpu.yaml."""
    documents, _ = parse(Text("config", data_text("schemas/config.schema.json"), "config"))
    return dict(documents[0].data)


def commands(page: Path) -> Iterator[str]:
    """Every gitgpu command on a page, in shell blocks and in prose."""
    for block in blocks(page):
        lines = block.text.replace("\\\n", "").replace('"$(date +%F)"', "2027-06-30").splitlines()
        if block.language == "console":  # what else it has is output
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        if block.language in ("sh", "console"):
            parts = (part.strip() for line in lines for part in re.split(r"&&|[|>;]", line))
            yield from (part for part in parts if part.startswith("gitgpu "))
    yield from INLINE.findall(prose(page))


@each_page("gitgpu ", rules=False)
def test_the_commands_of_a_page_exist_with_their_options(page: Path) -> None:
    """Click accepts each command with its options and their values."""
    check_commands(page)


def test_the_commands_of_the_pages_of_rules_exist_with_their_options() -> None:
    for page in PAGES:
        if page.parent.name == "rules":
            check_commands(page)


@cache
def context() -> click.Context:
    """The context of the program."""
    return root()


def check_commands(page: Path) -> None:
    """Asserts that Click accepts each command of a page."""
    for line in commands(page):
        words = shlex.split(line, comments=True)[1:]
        command = context().command
        while words and isinstance(command, click.Group) and not words[0].startswith("-"):
            assert words[0] in command.commands, f"{page.name}: {line}"
            command = command.commands[words.pop(0)]
        if not isinstance(command, click.Group) and words and words != ["--help"]:
            command.make_context("gitgpu", words, parent=context())


@cache
def quotable() -> dict[str, str]:
    """The files of the example fleet and of the one that `gitgpu init` writes, and of their overlays, by path."""
    with TemporaryDirectory() as folder:
        assert main(["init", folder]) == 0
        return {**files(ROOT, ""), **files(Path(folder), "starter/")}


def files(folder: Path, prefix: str) -> dict[str, str]:
    """The fleet in a folder and its overlays."""
    made = build(read_fleet((str(folder / "fleet.yaml"),))).files
    built = {f"{prefix}overlays/{path}": text for path, text in made.items()}
    return {**built, f"{prefix}fleet.yaml": read(folder / "fleet.yaml")}


@each_page("<!-- from ")
def test_quoted_output_is_real(page: Path) -> None:
    """A block below `<!-- from FILE -->` is a literal part of that file."""
    for block in (block for block in blocks(page) if block.origin):
        assert block.text in quotable()[block.origin], block.origin


def test_the_tutorial_counts_what_it_builds() -> None:
    made = sum(path.startswith("starter/overlays/") for path in quotable())
    assert f"\noverlays: {made} written, 0 removed, 0 unchanged\n" in read(ROOT / "docs/tutorial.md")


def test_every_folder_of_the_catalog_is_described() -> None:
    reported = set(re.findall(r"`(\w+)/`", read(ROOT / "docs/explanation/what-the-catalog-knows.md")))
    folders = {path.name for path in (ROOT / "catalog").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == reported - {"catalog"}


MODULES = {
    "controlplane": ("go.etcd.io/etcd/server/v3", "k8s.io/kubernetes", "helm.sh/helm/v4"),
    "argocd": (
        "github.com/argoproj/argo-cd/v3",
        "github.com/alicebob/miniredis/v2",
        "sigs.k8s.io/kustomize/kustomize/v5",
    ),
}
FLUX = ("source", "kustomize", "helm")


def test_the_page_about_end_to_end_tests_names_the_versions_that_they_build() -> None:
    page = read(ROOT / "docs/explanation/how-the-output-is-proven.md")
    files = {folder: read(ROOT / "tests/e2e" / folder / "go.mod") for folder in MODULES}
    versions = [_required(files[folder], name) for folder, names in MODULES.items() for name in names]
    assert [version for version in versions if version not in page] == []
    flux = [_required(files["controlplane"], f"github.com/fluxcd/{name}-controller") for name in FLUX]
    assert f"| {', '.join(flux)} |" in page


def _required(file: str, module: str) -> str:
    """The version of a module in a go.mod, without the leading v."""
    return str(re.findall(rf"^\s{re.escape(module)} v(\S+)", file, re.MULTILINE)[0])


def test_pages_count_the_recorded_decisions_of_karpenter() -> None:
    files = sorted(VERDICTS.glob("*.jsonl"))
    cases = [json.loads(line) for path in files for line in read(path).splitlines()]
    releases = list(cases[0]["outcomes"])
    pods = sum(len(case["outcomes"][releases[0]][0]) for case in cases)
    proven = read(ROOT / "docs/explanation/how-the-output-is-proven.md")
    row = f"{len(cases)}, with {pods:,} pods, in {len(files)} shapes; each with {len(releases)} releases"
    assert f"| Cases recorded with this program | {row} |" in proven
    known = read(ROOT / "docs/explanation/what-the-simulator-knows.md")
    for release in releases[1:]:
        assert f"| v{release} | {len(cases)} | {pods:,} | {pods:,} |" in known
    assert f"contain the {len(cases)} cases of all" in known


def test_the_index_links_to_every_page() -> None:
    index = read(ROOT / "docs/README.md")
    pages = [page for page in ROOT.glob("docs/**/*.md") if page.name != "README.md" and page.parent.name != "rules"]
    assert [page.name for page in pages if f"({page.relative_to(ROOT / 'docs').as_posix()})" not in index] == []
