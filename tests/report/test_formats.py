"""Every format shows every kind of finding, byte for byte as in its snapshot."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

import gitgpu.report
from gitgpu import __version__, registry
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report import format_names, formats, render
from gitgpu.report.findings import Findings, Style
from gitgpu.report.format import Format
from gitgpu.source import Span

EVERY_FORMAT = pytest.mark.parametrize("name", format_names())
PLAIN = Style(colour=False)


class TextFile(SingleFileSnapshotExtension):
    """One file a snapshot, compared as bytes."""

    _write_mode = WriteMode.BINARY
    file_extension = "txt"


@pytest.fixture
def as_file(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """A snapshot that keeps its text as it is."""
    return snapshot.use_extension(TextFile)


def steady(text: str) -> bytes:
    """The text without the version, which a release changes."""
    return text.replace(f'"semanticVersion": "{__version__}"', '"semanticVersion": "0.0.0"').encode()


@EVERY_FORMAT
def test_tricky_findings(name: str, tricky: Findings, as_file: SnapshotAssertion) -> None:
    """The words users see are reviewed like code."""
    assert steady(render(tricky, name, PLAIN)) == as_file


@EVERY_FORMAT
def test_no_findings(name: str, empty: Findings, as_file: SnapshotAssertion) -> None:
    """A clean run is a test case too."""
    assert steady(render(empty, name, PLAIN)) == as_file


@EVERY_FORMAT
def test_ends_with_one_line_break(name: str, tricky: Findings) -> None:
    """What is printed without an extra line break is complete."""
    text = render(tricky, name, PLAIN)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@EVERY_FORMAT
def test_half_a_surrogate_pair_can_be_written(name: str) -> None:
    """Whatever a document holds, the report of it can be encoded."""
    fault = Diagnostic("A1", Severity.ERROR, "half \ud800", "help \udfff", Span("a\udc80.yaml", 1, 1))
    render(Findings((fault,), 1, 1, {"a\udc80.yaml": "\ud800"}), name, PLAIN).encode("utf-8")


def test_a_format_is_called_like_its_module() -> None:
    """Users give the module's name; FORMAT says the same."""
    assert format_names() == tuple(each.name for each in registry.collect(formats, "FORMAT", Format))


def test_listing_imports_no_format() -> None:
    """Help and completion stay quick: names come from the folder."""
    code = "import sys, gitgpu.report as r; r.format_names(); print([m for m in sys.modules if '.formats.' in m])"
    listed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert listed.stdout.strip() == "[]"


def test_reporting_touches_nothing() -> None:
    """Findings in, text out: no disk, no options, no environment."""
    folder = Path(gitgpu.report.__file__).parent
    imports = {
        name.split(".")[0]
        for module in folder.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        for name in _imported(node)
    }
    assert not imports & {"os", "pathlib", "click", "subprocess", "socket", "time", "random", "io", "sys"}


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []
