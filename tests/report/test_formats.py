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
    """A snapshot extension with one file per snapshot, compared as bytes."""

    _write_mode = WriteMode.BINARY
    file_extension = "txt"


@pytest.fixture
def as_file(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """A snapshot that stores the text unchanged."""
    return snapshot.use_extension(TextFile)


def steady(text: str) -> bytes:
    """The text without the version of gitgpu."""
    return text.replace(f'"semanticVersion": "{__version__}"', '"semanticVersion": "0.0.0"').encode()


@EVERY_FORMAT
def test_tricky_findings(name: str, tricky: Findings, as_file: SnapshotAssertion) -> None:
    """Changes to the output show up in reviews."""
    assert steady(render(tricky, name, PLAIN)) == as_file


@EVERY_FORMAT
def test_no_findings(name: str, empty: Findings, as_file: SnapshotAssertion) -> None:
    """The output of a run without findings."""
    assert steady(render(empty, name, PLAIN)) == as_file


@EVERY_FORMAT
def test_ends_with_one_line_break(name: str, tricky: Findings) -> None:
    """So the output can be printed without a further line break."""
    text = render(tricky, name, PLAIN)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@EVERY_FORMAT
def test_half_a_surrogate_pair_can_be_written(name: str) -> None:
    """The report can be encoded, whatever a document contains."""
    fault = Diagnostic("A1", Severity.ERROR, "half \ud800", "help \udfff", Span("a\udc80.yaml", 1, 1))
    render(Findings((fault,), 1, 1, {"a\udc80.yaml": "\ud800"}), name, PLAIN).encode("utf-8")


def test_a_format_is_called_like_its_module() -> None:
    """Users pass the name of the module, and FORMAT has the same name."""
    assert format_names() == tuple(each.name for each in registry.collect(formats, "FORMAT", Format))


def test_listing_imports_no_format() -> None:
    """Names come from the folder, so that help and completion are fast."""
    code = "import sys, gitgpu.report as r; r.format_names(); print([m for m in sys.modules if '.formats.' in m])"
    listed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert listed.stdout.strip() == "[]"


def test_reporting_touches_nothing() -> None:
    """A format turns findings into text, without reading files, options or the environment."""
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
