"""`explain`: every field of the schemas, how it is found, and its JSON."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gitgpu.load.configuration.content import config_schema
from gitgpu.load.spec.shape import KINDS, fleet_schema
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
