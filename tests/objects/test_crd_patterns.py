"""Patterns in CRDs: none can hang a run, with or without RE2, and one that RE2 rejects is a fault of the CRD."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gitgpu
from gitgpu.load.validate.compiler import Dialect, compile_schema
from gitgpu.load.validate.linear_regex import longest
from gitgpu.objects.grouping.notes import unevaluated_notes
from gitgpu.objects.schema.cel import Engine
from gitgpu.objects.schema.crd import custom
from gitgpu.objects.schema.crd_patterns import (
    bound_patterns,
    bounded_patterns,
    refused_patterns,
    without_refused_patterns,
)
from gitgpu.source import Span

WITHOUT = "import sys; sys.modules['re2'] = None; from gitgpu.cli.main import run; run()"
WITH = "from gitgpu.cli.main import run; run()"


def crd(**schema: Any) -> dict[str, Any]:
    """A CRD whose spec.name has a schema."""
    spec = {"type": "object", "properties": {"name": {"type": "string", **schema}}}
    whole = {"type": "object", "properties": {"spec": spec}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": whole}}],
        },
    }


def thing(name: str) -> dict[str, Any]:
    """An object of that CRD."""
    return {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": {"name": name}}


def ran(start: str, folder: Path, definition: dict[str, Any], body: dict[str, Any]) -> list[dict[str, Any]]:
    """The findings of `lint --crds` in a separate process. The test fails if it hangs."""
    (folder / "crd.yaml").write_text(json.dumps(definition))
    (folder / "thing.yaml").write_text(json.dumps(body))
    words = [sys.executable, "-c", start, "lint", "--crds", "crd.yaml", "-o", "json", "thing.yaml"]
    env = {**os.environ, "PYTHONPATH": str(Path(gitgpu.__file__).parents[1])}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, timeout=60, check=False, text=True)
    results: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return results


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"^(a|a)*$", r"^(a?){40}a{40}$"])
def test_a_pattern_that_hangs_python_does_not_hang_lint(pattern: str, tmp_path: Path) -> None:
    body = thing("a" * 60 + "!")
    assert [result["code"] for result in ran(WITH, tmp_path, crd(pattern=pattern), body)] == ["CNF001"]
    (note,) = ran(WITHOUT, tmp_path, crd(pattern=pattern), body)
    assert (note["code"], note["severity"]) == ("LNT006", "info")
    message = "1 CRD pattern was checked for short values only, because long values can take too long"
    assert (note["message"], note["help"]) == (message, "install gitgpu[re2]")


def test_without_re2_short_values_are_still_checked() -> None:
    schema = bound_patterns({"type": "object", "properties": {"name": {"type": "string", "pattern": "^(a+)+$"}}})
    assert bounded_patterns(schema) == {"^(a+)+$"}
    assert "pattern" not in schema["properties"]["name"]
    accepts = compile_schema(schema, Dialect())
    most = longest("^(a+)+$") or 0
    assert [accepts({"name": name}) for name in ("aa", "ab", "b" * most, "b" * (most + 1))] == [
        True,
        False,
        False,
        True,
    ]
    short = {"type": "string", "pattern": "^(a+)+$", "maxLength": most}
    assert bound_patterns(short) == short


def test_patterns_that_are_not_run_on_long_values_are_one_note_without_a_place() -> None:
    (definition,) = custom([crd(pattern="^a$")], {}).values()
    some = {name: definition._replace(hurried=frozenset({"^(a+)+$", f"^{name}$"})) for name in ("b", "c")}
    (note,) = unevaluated_notes({("example.com/v1", name): definition for name, definition in some.items()}, Engine())
    assert (note.code, note.span, note.help) == ("LNT006", Span(""), "install gitgpu[re2]")
    assert note.message.startswith("3 CRD patterns")


def test_a_limited_pattern_is_added_to_other_conditions() -> None:
    schema = bound_patterns({"type": "string", "pattern": "^(a+)+$", "allOf": [{"maxLength": 90}]})
    assert schema["allOf"][0] == {"maxLength": 90}
    assert len(schema["allOf"]) == 2
    assert bounded_patterns(schema) == {"^(a+)+$"}


def test_with_re2_every_pattern_is_matched_with_texts_of_any_length() -> None:
    (definition,) = custom([crd(pattern="^(a+)+$")], {}).values()
    assert not definition.hurried


@pytest.mark.parametrize("pattern", ["^(?!x)y", r"(a)\1", "("])
def test_a_pattern_that_re2_rejects_is_a_fault_of_the_crd(pattern: str, tmp_path: Path) -> None:
    assert [wrong for wrong, _ in refused_patterns(crd(pattern=pattern))] == [pattern]
    (fault,) = ran(WITH, tmp_path, crd(pattern=pattern), thing("b"))
    assert (fault["code"], fault["severity"]) == ("CRD001", "error")
    assert repr(pattern) in fault["message"]
    assert "(" not in [wrong for wrong, _ in refused_patterns(crd(pattern="^(a|b)$"))]


def test_a_schema_is_used_without_the_patterns_that_re2_rejects() -> None:
    patterns = {"plain": "^a$", "refused": r"(a)\1"}
    schema = {"type": "object", "properties": {key: {"type": "string", "pattern": p} for key, p in patterns.items()}}
    assert without_refused_patterns(schema) == {
        "type": "object",
        "properties": {"plain": {"type": "string", "pattern": "^a$"}, "refused": {"type": "string"}},
    }
    assert without_refused_patterns({"type": "array", "items": {"pattern": "(?!x)"}, "pattern": "("}) == {
        "type": "array",
        "items": {},
    }


def test_alternatives_in_the_crd_itself_do_not_guard_a_pattern() -> None:
    pattern = "^a+$"
    for first, second in (({"maxLength": 3}, {"pattern": pattern}), ({"minLength": 3}, {"enum": ["a"]})):
        assert bounded_patterns({"type": "string", "allOf": [{"anyOf": [first, second]}]}) == frozenset()
    assert bounded_patterns(bound_patterns({"type": "string", "pattern": pattern})) == {pattern}
