"""Results are on stdout in the requested format, messages on stderr; and the exit status."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from gitgpu.report import format_names
from tests.cli.conftest import Run
from tests.cli.fleets import BROKEN, SOUND, WARNED, write

REPORT = json.loads((Path(__file__).parents[3] / "schemas/report.schema.json").read_text("utf-8"))
FLEETS = {
    "sound": (SOUND, 0),
    "warned": (WARNED, 0),
    "broken": (BROKEN, 1),
    "no yaml": ("a: [", 1),
    "no text": ("\xff", 1),
}


@pytest.mark.parametrize("command", ["validate", "build"])
@pytest.mark.parametrize("form", format_names())
@pytest.mark.parametrize("fleet", FLEETS)
def test_every_format_can_be_parsed(run: Run, command: str, form: str, fleet: str) -> None:
    content, code = FLEETS[fleet]
    write(content)
    ran = run(command, "-o", form)
    assert ran.code == code
    assert ran.err.splitlines()[-1].startswith("Summary: ")
    assert "\x1b" not in ran.out + ran.err
    if form == "json":
        Draft7Validator(REPORT).validate(json.loads(ran.out))
    elif form == "sarif":
        assert json.loads(ran.out)["version"] == "2.1.0"
    elif form == "junit":
        assert ET.fromstring(ran.out).tag == "testsuites"
    elif fleet == "sound" and form == "text":
        assert ran.out == ""
    elif fleet == "broken":
        assert "LNK004" in ran.out


def test_a_finding_in_json_has_everything(run: Run) -> None:
    write(BROKEN)
    report = json.loads(run("validate", "-o", "json").out)
    assert report["apiVersion"] == "report.gitgpu.dev/v1"
    assert report["kind"] == "Findings"
    (result,) = report["results"]
    assert result["message"]
    assert result["help"]
    assert (result["code"], result["severity"], result["file"], result["line"], result["column"]) == (
        "LNK004",
        "error",
        "fleet.yaml",
        14,
        19,
    )
    assert result["pointer"] == "/spec/clusters/0"
    assert result["object"] == {"kind": "GpuPool", "namespace": "", "name": "t4"}
    counts = {"errors": 1, "warnings": 0, "infos": 0, "files": 1, "objects": 3, "skipped": 0, "truncated": 0}
    assert report["summary"] == counts


def test_text_shows_the_line_with_a_caret_and_a_remedy(run: Run) -> None:
    write(BROKEN)
    lines = run("validate").out.splitlines()
    assert lines[0].startswith("fleet.yaml:14:19: error[LNK004] ")
    assert lines[1].endswith(BROKEN.splitlines()[13])
    assert lines[2].index("^") - lines[1].index("spec") == 18
    assert lines[3].strip().startswith("= help: ")


@pytest.mark.parametrize(
    ("when", "variable", "coloured"),
    [
        ("always", None, True),
        ("always", "1", True),
        ("auto", None, False),
        ("auto", "1", False),
        ("never", None, False),
    ],
)
def test_colour_is_used_only_if_wanted(
    run: Run, monkeypatch: pytest.MonkeyPatch, when: str, variable: str | None, *, coloured: bool
) -> None:
    if variable:
        monkeypatch.setenv("NO_COLOR", variable)
    write(BROKEN)
    for command in ("validate", "build"):
        assert ("\x1b[" in run(command, "--color", when).out) is coloured
    assert ("\x1b[" in run("sku", "list", "--color", when).out) is coloured
    assert "\x1b" not in run("validate", "--color", "always", "-o", "json").out
    assert run("validate", "--color", "sometimes").code == 2


def test_findings_are_the_same_in_every_run_and_format(run: Run) -> None:
    write(f"{BROKEN}---\n{BROKEN}")
    first, two = run("validate", "-o", "json"), run("build", "-o", "json")
    assert first.out == two.out == run("validate", "-o", "json").out
    codes = [result["code"] for result in json.loads(first.out)["results"]]
    assert sorted(codes) == ["LNK002", "LNK003", "LNK003"]


@pytest.mark.parametrize(("words", "shown"), [((), "fleet.yaml"), (("-C", "sub"), "sub/fleet.yaml")])
def test_without_git_paths_are_relative_to_the_current_directory(run: Run, words: tuple[str, ...], shown: str) -> None:
    Path(".git").rmdir()
    for path in ("fleet.yaml", "sub/fleet.yaml"):
        write(BROKEN, path)
    assert run(*words, "validate", "-o", "github").out.startswith(f"::error file={shown},line=14,")
