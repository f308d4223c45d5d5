"""`explain`, `schema` and `completion`, whose output comes from the schema and from the commands themselves."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from click import shell_completion
from jsonschema import Draft7Validator

from gitgpu.cli import commands
from gitgpu.cli.overview import command_name
from gitgpu.load.configuration.content import config_schema
from gitgpu.load.spec.shape import KINDS, fleet_schema
from gitgpu.registry import names
from gitgpu.report.reference.field import follow, inside
from tests.cli.conftest import Run


def fields(part: Any, path: str, root: Any) -> Iterator[tuple[str, Any]]:
    """Every field of a kind, with its path in the notation of `explain`."""
    schema = follow(part, root)
    yield path, schema
    for key, below in inside(part, root).get("properties", {}).items():
        yield from fields(below, f"{path}.{key}", root)


FIELDS = {
    path: part
    for kind, name in KINDS.items()
    for path, part in fields({"$ref": f"#/definitions/{name}"}, kind, fleet_schema())
    if isinstance(part, dict)
} | dict(fields(config_schema(), "Config", config_schema()))


def test_every_field_is_explained(run: Run) -> None:
    for path, part in FIELDS.items():
        ran = run("explain", path)
        assert (ran.code, ran.err) == (0, ""), path
        lines = ran.out.splitlines()
        assert lines[0] == path
        assert part["description"] in lines[1]
        for key in part.get("properties", {}):
            assert any(line.split()[:1] in ([key], [f"*{key}"]) for line in lines), (path, key)


def test_casing_and_dots_do_not_matter(run: Run) -> None:
    wanted = run("explain", "GpuPool.spec.limits.gpus").out
    for spelling in ("gpupool.SPEC.Limits.GPUS", ".GpuPool.spec.limits.gpus."):
        assert run("explain", spelling).out == wanted


def test_without_a_field_the_kinds_are_reported(run: Run) -> None:
    ran = run("explain")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == [*KINDS, "Config"]


@pytest.mark.parametrize(
    ("field", "hint"),
    [
        ("gpupol", "GpuPool"),
        ("osDiskGb8", ".image.osDiskGB?"),
        ("GpuPool.osDiskG", "did you mean GpuPool.spec.image.osDiskGB?"),
        ("GpuPool.spec.limit", "did you mean limits?"),
        ("GpuPool.spec.limits.gpus.more", "it has no fields"),
        ("GpuPool..spec", "known names"),
        ("", "Fleet"),
        ("...", "Fleet"),
        ("GpuPool.spec.zzz", "clusters"),
        ("config.lint.path", "did you mean paths?"),
    ],
)
def test_an_unknown_field_gets_a_suggestion(run: Run, field: str, hint: str) -> None:
    ran = run("explain", field)
    assert (ran.code, ran.out) == (1, "")
    assert hint in ran.err


def test_the_schema_is_the_one_that_is_used(run: Run) -> None:
    ran = run("schema")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == fleet_schema()


@pytest.mark.parametrize("kind", [*KINDS, "Config", "gpupool"])
def test_the_schema_of_a_kind_is_complete(run: Run, kind: str) -> None:
    ran = run("schema", kind)
    assert (ran.code, ran.err) == (0, "")
    schema = json.loads(ran.out)
    Draft7Validator.check_schema(schema)
    accepts = Draft7Validator(schema)
    assert not accepts.is_valid({})
    pool = {
        "apiVersion": "gitgpu.dev/v1alpha1",
        "kind": "GpuPool",
        "metadata": {"name": "a"},
        "spec": {"clusters": ["a"], "sku": "x"},
    }
    assert accepts.is_valid(pool) is (kind.lower() == "gpupool")


def test_an_unknown_kind_is_a_usage_error(run: Run) -> None:
    ran = run("schema", "Pod")
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_a_shell_gets_a_script_that_it_can_read(run: Run, shell: str) -> None:
    ran = run("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert "_GITGPU_COMPLETE" in ran.out
    assert " gitgpu" in ran.out, "the command that it completes"
    program = shutil.which(shell)
    if program and shell != "powershell":
        subprocess.run([program, "-n"], input=ran.out, text=True, check=True, timeout=10)


def test_an_older_click_has_no_completion_for_powershell(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(shell_completion._available_shells, "powershell")
    ran = run("completion", "powershell")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(
        "Error: this version of click has no completion for powershell; install click 8.5 or newer\n"
    )


def test_another_shell_is_a_usage_error(run: Run) -> None:
    assert run("completion", "tcsh").code == 2
    assert run("completion").code == 2


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("gitgpu ", set(map(command_name, names(commands)))),
        ("gitgpu bu", {"build"}),
        ("gitgpu sku s", {"show"}),
        ("gitgpu build --ch", {"--check"}),
        ("gitgpu completion z", {"zsh"}),
    ],
)
def test_commands_and_options_are_completed(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: str, wanted: set[str]
) -> None:
    monkeypatch.setenv("_GITGPU_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    ran = run()
    assert (ran.code, ran.err) == (0, "")
    assert {line.partition(",")[2] for line in ran.out.splitlines()} == wanted
    assert os.environ["_GITGPU_COMPLETE"]


def test_an_unknown_completion_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_GITGPU_COMPLETE", "bash_frobnicate")
    assert run().code == 1


def test_a_field_is_explained_in_json(run: Run) -> None:
    reported = json.loads(run("explain", "gpupool.SPEC.limits", "-o", "json").out)
    assert (reported["apiVersion"], reported["kind"]) == ("report.gitgpu.dev/v1", "Explanation")
    assert (reported["field"], reported["type"], reported["required"]) == ("GpuPool.spec.limits", "object", False)
    assert [key["name"] for key in reported["keys"]] == ["gpus", "cpu", "memory", "nodes", "resources"]
    policy = json.loads(run("explain", "GpuPool.spec.disruption.consolidationPolicy", "-o", "json").out)
    assert policy["default"] == "WhenEmpty"
    assert [key["name"] for key in json.loads(run("explain", "-o", "json").out)["keys"]] == [*KINDS, "Config"]


def test_the_keys_of_a_field_have_types_and_defaults(run: Run) -> None:
    lines = run("explain", "GpuPool.spec").out.splitlines()
    rows = {words[0]: (words[1], line) for line in lines if (words := line.split()) and line.startswith("  ")}
    assert rows["weight"][0] == "integer"
    assert rows["os"][0] == "string"
    assert rows["os"][1].endswith("[default: linux]")
    assert "default" not in rows["weight"][1]
    keys = {key["name"]: key for key in json.loads(run("explain", "GpuPool.spec", "-o", "json").out)["keys"]}
    assert (keys["os"]["type"], keys["os"]["default"], keys["os"]["allowed"]) == ("string", "linux", "linux, windows")
    assert (keys["weight"]["default"], "keys" in keys["limits"]) == (None, False)


def test_recursive_lists_every_key_below(run: Run) -> None:
    for kind in (*KINDS, "Config"):
        reported = json.loads(run("explain", kind, "--recursive", "-o", "json").out)
        assert {kind, *paths(reported["keys"], kind)} == {path for path in FIELDS if path.partition(".")[0] == kind}
    lines = run("explain", "GpuPool.spec.disruption", "--recursive").out.splitlines()
    budgets = next(line for line in lines if " budgets " in line)
    nodes = next(line for line in lines if "*nodes " in line)
    assert nodes.index("*nodes") - budgets.index("budgets") == 1
    assert "*nodes" not in run("explain", "GpuPool.spec.disruption").out


def paths(keys: Any, above: str) -> Iterator[str]:
    """The paths of keys and of those below them."""
    for key in keys:
        yield f"{above}.{key['name']}"
        yield from paths(key["keys"], f"{above}.{key['name']}")


def test_a_key_is_found_by_its_name(run: Run) -> None:
    every = [path for path in FIELDS if path.rpartition(".")[2] == "osDiskGB"]
    assert len(every) > 1
    for spelling in ("osDiskGB", "osdiskgb", "image.osDiskGB"):
        ran = run("explain", spelling)
        assert (ran.code, ran.err) == (0, "")
        assert [line.split()[0] for line in ran.out.splitlines()] == every
    reported = json.loads(run("explain", "osDiskGB", "-o", "json").out)
    assert (reported["kind"], [field["field"] for field in reported["fields"]]) == ("FieldList", every)
    assert run("explain", "GpuPool.osDiskGB").out == run("explain", "GpuPool.spec.image.osDiskGB").out
    assert run("explain", "consolidationPolicy.more").code == 1
