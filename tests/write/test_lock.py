"""The lock's text, and what may be believed of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.diagnostic import Diagnostic
from gitgpu.source import Span
from gitgpu.write.lock import Lock, Scope, Stamp, digest, dump, is_inside, merge, parse, seal

STAMP = Stamp("gitgpu 0.1.0", "c" * 64, "i" * 64)
OTHER = STAMP._replace(inputs="j" * 64)
FILES = {"b/nodes/x.yaml": "x\n", "a/kustomization.yaml": "é\n"}


def scope(*clusters: str) -> Scope:
    return Scope(frozenset(clusters), frozenset(("a", "b")))


def broken(text: str | bytes) -> Diagnostic:
    answer = parse(text, "overlays/gitgpu.lock")
    assert isinstance(answer, Diagnostic)
    assert (answer.code, answer.span) == ("OUT003", Span("overlays/gitgpu.lock", 0, 0))
    return answer


def test_the_text_is_one_sorted_file_a_line() -> None:
    a, b = digest("é\n"), digest("x\n")
    assert dump(seal(STAMP, FILES)) == (
        '{\n  "apiVersion": "lock.gitgpu.dev/v1",\n  "generator": "gitgpu 0.1.0",\n'
        f'  "catalog": "{"c" * 64}",\n  "inputs": "{"i" * 64}",\n  "files": {{\n'
        f'    "a/kustomization.yaml": "{a}",\n    "b/nodes/x.yaml": "{b}"\n  }}\n}}\n'
    )


paths = st.from_regex(r"[a-z]{1,3}/[a-z.-]{1,8}x", fullmatch=True)


@given(st.dictionaries(paths, st.text(st.characters(exclude_categories=["Cs"]))))
def test_the_text_reads_back(files: dict[str, str]) -> None:
    lock = seal(STAMP, files)
    assert parse(dump(lock), "x") == lock == parse(dump(lock).encode(), "x")


@pytest.mark.parametrize("text", ["", "{", b"\xff\xfe\xff", "[" * 100_000, "[]", "null", '"x"', "{}"])
def test_a_text_that_is_no_lock_is_a_diagnostic(text: str | bytes) -> None:
    assert broken(text).message.startswith("the lock cannot be read")


@pytest.mark.parametrize(
    "change",
    [
        {"apiVersion": "lock.gitgpu.dev/v2"},
        {"generator": None},
        {"catalog": 1},
        {"inputs": ["x"]},
        {"files": []},
        {"files": None},
        {"files": {"a/b": 1}},
        {"kubernetes": ["a"]},
        {"kubernetes": {"a": 1.34}},
        {"pools": ["a"]},
        {"pools": {"a": ["t4"]}},
        {"pools": {"a": {"t4": {"nodes": "k=v"}}}},
        {"pools": {"a": {"t4": {"nodes": 1, "retires": False}}}},
        {"pools": {"a": {"t4": {"nodes": "k=v", "retires": "no"}}}},
        {"pools": {"a": {"t4": {"nodes": "k=v", "retires": False, "more": 1}}}},
    ],
)
def test_a_wrong_value_is_a_diagnostic(change: dict[str, Any]) -> None:
    broken(json.dumps({**json.loads(dump(seal(STAMP, FILES))), **change}))


ELSEWHERE = ("", "/", "/etc/passwd", "..", "../x", "a/../../x", "a/..", "./a", "a//b", "a/")
UNPLAIN = ("a\\b", "..\\x", "C:x", "a\0b", "a\nb", "\ud800", "gitgpu.lock")


@pytest.mark.parametrize("path", [*ELSEWHERE, *UNPLAIN])
def test_a_path_that_may_lead_elsewhere_is_not_believed(path: str) -> None:
    assert not is_inside(path)
    assert "output directory" in broken(json.dumps({**json.loads(dump(seal(STAMP, {}))), "files": {path: "0"}})).message


def test_a_usual_path_is_inside() -> None:
    assert all(is_inside(path) for path in ("prod/nodes/nodepool-h100.yaml", "a", "a/..b/...c"))


def test_a_whole_build_replaces_the_lock() -> None:
    old, new = seal(STAMP, {"gone/x": "x"}), seal(OTHER, FILES)
    assert merge(old, new, scope("a", "b")) == new
    assert merge(old, new, scope("a", "b", "more")) == new


def test_a_partial_build_keeps_the_others() -> None:
    old = seal(STAMP, {**FILES, "a/old.yaml": "x", "gone/x": "x"})
    merged = merge(old, seal(OTHER, {"a/new.yaml": "y"}), scope("a"))
    assert merged.files == {"b/nodes/x.yaml": digest("x\n"), "gone/x": digest("x"), "a/new.yaml": digest("y")}


def test_the_versions_of_clusters_read_back_and_follow_their_clusters() -> None:
    old = seal(STAMP, FILES)._replace(kubernetes={"b": "1.34", "a": "1.33", "gone": "1.32"})
    assert parse(dump(old), "x") == old
    new = seal(STAMP, {"a/kustomization.yaml": "é\n"})._replace(kubernetes={"a": "1.35"})
    assert merge(old, new, scope("a")).kubernetes == {"a": "1.35", "b": "1.34", "gone": "1.32"}
    assert merge(old, new, scope("a", "b")).kubernetes == {"a": "1.35"}


def test_a_partial_build_does_not_claim_the_inputs_of_all() -> None:
    nothing = Lock(Stamp("", "", ""), {})
    part = {"a/kustomization.yaml": "é\n"}
    assert merge(nothing, seal(STAMP, part), scope("a")).stamp == STAMP._replace(inputs="")
    other = {"a/kustomization.yaml": "new"}
    assert merge(seal(STAMP, FILES), seal(OTHER, other), scope("a")).stamp == OTHER._replace(inputs="")
    assert merge(seal(STAMP, FILES), seal(OTHER, part), scope("a")) == seal(STAMP, FILES)
    assert merge(seal(STAMP, FILES), seal(STAMP, part), scope("a")) == seal(STAMP, FILES)


def test_the_scope_is_about_whole_path_parts() -> None:
    assert scope("a").holds("a/x")
    assert not any(scope("a").holds(path) for path in ("ab/x", "b/a/x", "x"))
    assert scope("a", "b").holds("anything/x")


@pytest.mark.parametrize("encoded", [True, False])
def test_a_merge_that_is_not_resolved_is_said_at_its_first_line(encoded: bool) -> None:
    text = '{\n"files": {\n<<<<<<< HEAD\n"a": "b"\n=======\n"a": "c"\n>>>>>>> theirs\n}}\n'
    fault = parse(text.encode() if encoded else text, "overlays/gitgpu.lock")
    assert isinstance(fault, Diagnostic)
    assert (fault.code, fault.span.line, fault.span.column) == ("OUT003", 3, 1)
    assert fault.message == "the lock cannot be read: unresolved merge conflict"
