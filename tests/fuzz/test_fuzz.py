"""A few fixed mutated inputs for every command, and whether the fuzzer would detect a failure."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import case as fuzzing
from tests.fuzz.__main__ import keep, kept, reduced
from tests.fuzz.case import KINDS, Case, case, failure


@given(st.integers(0, 2**32))
@settings(max_examples=15, derandomize=True, deadline=None)
def test_an_odd_input_causes_no_failure(seed: int) -> None:
    problem = failure(case(seed))
    assert problem == "", f"python -m tests.fuzz --seed {seed} --cases 1"


def test_a_number_identifies_one_case() -> None:
    assert case(7) == case(7)
    assert case(7) != case(8)
    commands = {case(seed).words[0] for seed in range(400)}
    assert commands >= {"lint", "simulate", "validate", "build", "plan", "import", "images", "outdated", "upgrade"}
    assert commands >= {"promote", "explain", "catalog", "rule", "sku", "schema"}
    assert len(KINDS) > 5


def test_a_traceback_is_detected_saved_and_reduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(words: tuple[str, ...]) -> int:
        if words == ("lint", "d") and b"bad" in Path("d/a.yaml").read_bytes():
            raise KeyError("bad")
        return 0

    monkeypatch.setattr(fuzzing, "main", broken)
    odd = Case({"d/a.yaml": b"a: 1\nb: bad\nc: 1\n", "d/b.yaml": b"x: 1\n"}, ("lint", "d"))
    why = failure(odd)
    assert why == "KeyError: 'bad'"
    keep(tmp_path / "1", odd, why)
    assert kept(tmp_path / "1") == odd
    assert reduced(odd, why).files == {"d/a.yaml": b"b: bad\n"}


def test_a_hang_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_: tuple[str, ...]) -> int:
        while True:
            pass

    monkeypatch.setattr(fuzzing, "main", endless)
    monkeypatch.setattr(fuzzing, "PATIENCE", 0.2)
    assert failure(Case({}, ("lint",))) == "took more than 0.2 s"
