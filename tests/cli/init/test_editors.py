"""The editor integration: the files of `init` with the real YAML language server."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import write
from tests.oracles.language_server import PROGRAM, VERSION, LanguageServer, language_server

SETTINGS = Path(".vscode/settings.json")
ROOT = Path(__file__).parents[3]
SLIPS = {
    "Fleet": ("engine: flux", "engine: fluxx"),
    "Cluster": ("region:", "regoin:"),
    "GpuPool": ("limits:", "limit:"),
    "GpuWorkload": ("target:", "traget:"),
}


@pytest.fixture
def started(run: Run, tmp_path: Path) -> Iterator[LanguageServer]:
    """A server for the files of `init`."""
    assert run("init").code == 0
    server = language_server(tmp_path)
    yield server
    server.close()


def line_of(name: str, text: str) -> int:
    """The line of a file that contains a text, counted from 1."""
    return next(at for at, line in enumerate(Path(name).read_text().splitlines(), 1) if text in line)


def test_the_files_of_init_have_no_problem(started: LanguageServer) -> None:
    assert started.open("fleet.yaml") == []
    assert started.open(".gitgpu.yaml") == []


@pytest.mark.parametrize("by", ["settings", "modelines"])
def test_a_misspelling_in_each_document_is_flagged_at_its_line(started: LanguageServer, by: str) -> None:
    """With the settings alone, and in an editor that does not read them, with the modelines alone."""
    if by == "modelines":
        SETTINGS.unlink()
    for name in ("fleet.yaml", ".gitgpu.yaml"):
        text = Path(name).read_text()
        for old, new in (*SLIPS.values(), ("out: overlays", "outt: overlays")):
            text = text.replace(old, new)
        kept = [line for line in text.splitlines(keepends=True) if by == "modelines" or "$schema" not in line]
        write("".join(kept), name)
    lines = {line for line, _ in started.open("fleet.yaml")}
    assert {line_of("fleet.yaml", new) for _, new in SLIPS.values()} <= lines
    assert line_of(".gitgpu.yaml", "outt:") in {line for line, _ in started.open(".gitgpu.yaml")}


def test_files_of_a_folder_are_checked_by_the_settings(started: LanguageServer) -> None:
    documents = Path("fleet.yaml").read_text().split("---\n")
    for at, (document, (old, new)) in enumerate(zip(documents, SLIPS.values(), strict=True)):
        name = f"fleet/team/{at}.yaml"
        write(re.sub("# yaml-language-server.*\n", "", document).replace(old, new), name)
        assert line_of(name, new) in {line for line, _ in started.open(name)}


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("fleet.yaml", "delivery:", "delivered"),
        ("fleet.yaml", "region:", "region"),
        ("fleet.yaml", "sku:", "size"),
        ("fleet.yaml", "target:", "workload"),
        (".gitgpu.yaml", "out:", "output directory"),
    ],
)
def test_a_key_is_described(started: LanguageServer, name: str, key: str, expected: str) -> None:
    started.open(name)
    line = line_of(name, key)
    column = Path(name).read_text().splitlines()[line - 1].index(key) + 2
    assert expected in started.hover(name, line, column).lower()


def test_keys_and_values_are_completed(started: LanguageServer) -> None:
    text = Path("fleet.yaml").read_text()
    write(text.replace("  limits: {gpus: 2}\n", "  limits: {gpus: 2}\n  \n"))
    started.open("fleet.yaml")
    offered = started.completion("fleet.yaml", line_of("fleet.yaml", "limits:") + 1, 3)
    assert {"disruption", "retire", "partition"} <= offered.keys()
    assert all(offered[key] for key in ("disruption", "retire"))
    at = line_of("fleet.yaml", "engine:")
    assert {"flux", "argocd"} <= started.completion("fleet.yaml", at, len("    engine: ") + 1).keys()


def test_the_same_version_is_installed_everywhere() -> None:
    for path in ("CONTRIBUTING.md", ".github/workflows/ci.yml"):
        assert f"{PROGRAM}@{VERSION}" in (ROOT / path).read_text("utf-8")


def test_settings_name_schemas_that_exist(run: Run) -> None:
    run("init")
    schemas = json.loads(SETTINGS.read_text())["yaml.schemas"]
    assert [Path(path).is_file() for path in schemas] == [True, True]
    assert Path("fleet.yaml").read_text().count("# yaml-language-server: $schema=") == 4


COMMENTED = '{\n  // ours\n  "editor.tabSize": 2, /* keep */\n}\n'


@pytest.mark.parametrize("content", [COMMENTED, "", "not JSON", '{"yaml.schemas": {"mine.json": "mine.yaml"}}'])
def test_existing_settings_are_kept_and_the_additions_are_reported(run: Run, content: str) -> None:
    write(content, str(SETTINGS))
    ran = run("init")
    assert (ran.code, SETTINGS.read_text()) == (0, content)
    assert str(SETTINGS) not in ran.out
    assert Path("fleet.yaml").exists()
    advice = ran.err[ran.err.index('"yaml.schemas"') : ran.err.rindex("}") + 1]
    write(f"{{{advice}}}", "advice.json")
    added = json.loads(Path("advice.json").read_text())["yaml.schemas"]
    assert added[".gitgpu/config.schema.json"] == ".gitgpu.yaml"
    assert "fleet.yaml" in added[".gitgpu/fleet.schema.json"]


def test_settings_that_are_complete_need_no_advice(run: Run, tmp_path: Path) -> None:
    run("init", "first")
    text = f"// ours\n{Path('first', SETTINGS).read_text()}"
    write(text, str(SETTINGS))
    ran = run("init")
    assert (ran.code, SETTINGS.read_text()) == (0, text)
    assert "yaml.schemas" not in ran.err


def test_settings_that_are_a_link_are_not_followed(run: Run) -> None:
    SETTINGS.parent.mkdir()
    SETTINGS.symlink_to("../outside.json")
    assert run("init").code == 0
    assert not Path("outside.json").exists()
