"""The configuration file: where it is found, how its paths are resolved, and its faults."""

from pathlib import Path

import pytest

from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.content import Config
from gitgpu.load.configuration.files import read_config
from gitgpu.source import Span

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"


def content() -> tuple[Config, list[Diagnostic]]:
    """The configuration that applies in this directory, without places."""
    config, faults = read_config()
    return config._replace(file="", out_at=Span("")), faults


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def test_without_a_file_the_default_paths_apply() -> None:
    assert content() == (Config((), "overlays", ()), [])
    Path("fleet").mkdir()
    assert content() == (Config(("fleet",), "overlays", ()), [])
    Path("fleet.yaml").touch()
    assert content() == (Config(("fleet.yaml",), "overlays", ()), [])


def test_an_empty_configuration_changes_nothing() -> None:
    Path("fleet.yaml").touch()
    Path(".gitgpu.yaml").write_text(HEAD)
    assert content() == (Config(("fleet.yaml",), "overlays", ()), [])


def test_paths_are_relative_to_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".gitgpu.yaml").write_text(f"{HEAD}fleet: [a.yaml, b]\nout: ./out/\ncatalog: [mine, /abs]\n")
    assert content() == (Config(("a.yaml", "b"), "out", (Folder("mine", "mine"), Folder("/abs", "abs"))), [])
    Path("x/z").mkdir(parents=True)
    monkeypatch.chdir("x/z")
    assert content()[0] == Config(
        ("../../a.yaml", "../../b"), "../../out", (Folder("../../mine", "mine"), Folder("/abs", "abs"))
    )


def test_json_is_accepted() -> None:
    Path(".gitgpu.yaml").write_text('{"apiVersion": "gitgpu.dev/v1alpha1", "kind": "Config", "out": "o"}')
    assert content()[0].out == "o"


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        (b"", ["CFG001 1:1"]),
        (b"# nothing\n", ["CFG001 1:1"]),
        (b"a: 1\n---\nb: 1\n", ["CFG001 1:1"]),
        (b"- a\n", ["CFG001 1:1"]),
        (b"just words\n", ["CFG001 1:1"]),
        (b"kind: [\n", ["YML001 1:8"]),
        (b"\xff\n", ["INP002 1:1"]),
        (b"a: 1\n\0", ["INP002 2:1"]),
        (HEAD.encode() + b"out: a\nout: b\n", ["YML002 4:1"]),
        (HEAD.encode() + b"fleet: fleet.yaml\n", ["CFG001 3:8"]),
        (HEAD.encode() + b"fleet: []\nout: ''\nflet: x\n", ["CFG001 3:8", "CFG001 4:6", "CFG001 5:1"]),
        (b"apiVersion: v2\nkind: Conf\n", ["CFG001 1:13", "CFG001 2:7"]),
        (HEAD.encode() + b"allow:\n- {code: NPL010, reason: r, until: 2027-02-30}\n", ["CFG001 4:36"]),
    ],
)
def test_faults_have_places_and_the_rest_of_the_file_is_ignored(content: bytes, faults: list[str]) -> None:
    Path("fleet.yaml").touch()
    Path(".gitgpu.yaml").write_bytes(content)
    config, diagnostics = read_config()
    assert [f"{finding.code} {finding.span.line}:{finding.span.column}" for finding in in_order(diagnostics)] == faults
    assert all(
        diagnostic.span.file == ".gitgpu.yaml" and diagnostic.message and diagnostic.help for diagnostic in diagnostics
    )
    assert config == Config(("fleet.yaml",), "overlays", (), file=".gitgpu.yaml")


@pytest.mark.parametrize(
    ("content", "message", "remedy"),
    [
        (
            "",
            "must contain exactly one document",
            "write one mapping with apiVersion and kind: Config",
        ),
        (
            f"{HEAD}allow:\n- {{code: SKU001, reason: r, until: 2027-02-30}}\n",
            "this date does not exist",
            "use a date such as 2027-06-30",
        ),
    ],
)
def test_a_fault_has_a_message_and_a_remedy(content: str, message: str, remedy: str) -> None:
    Path(".gitgpu.yaml").write_text(content)
    _, [fault] = read_config()
    assert (fault.message, fault.help) == (message, remedy)


def test_in_a_directory_that_was_removed_there_is_no_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("gone").mkdir()
    monkeypatch.chdir("gone")
    Path("../gone").rmdir()
    assert content() == (Config(), [])


def test_a_project_file_that_is_not_text_is_not_the_configuration() -> None:
    Path("pyproject.toml").write_bytes(b"[tool.gitgpu]\n# \xff\n")
    assert content() == (Config(), [])


def test_a_directory_of_that_name_is_not_the_configuration() -> None:
    Path(".gitgpu.yaml").mkdir()
    assert content() == (Config(), [])


def test_the_default_paths_are_beside_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".gitgpu.yaml").write_text(HEAD)
    Path("fleet.yaml").touch()
    Path("below").mkdir()
    monkeypatch.chdir("below")
    assert content() == (Config(("../fleet.yaml",), "../overlays", ()), [])
