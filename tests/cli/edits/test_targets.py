"""Rings that a command that edits the spec accepts."""

from typing import Any

from gitgpu.cli.edits.targets import unknown_ring


def test_names_of_rings() -> None:
    def fleet(*rings: str) -> Any:
        spec = {"rings": [{"name": ring} for ring in rings]} if rings else {}
        return type("Fleet", (), {"data": {"spec": spec}})()

    assert unknown_ring(fleet("canary", "broad"), "broad") is None
    assert unknown_ring(fleet("canary", "broad"), "brod") == ("the fleet has no ring 'brod'", "did you mean broad?")
    assert unknown_ring(fleet("canary", "broad"), "zz") == ("the fleet has no ring 'zz'", "known names: canary, broad")
    assert unknown_ring(fleet(), "zz") == (
        "the fleet has no ring 'zz', because it has no rings", "set spec.rings in the Fleet",
    )  # fmt: skip
