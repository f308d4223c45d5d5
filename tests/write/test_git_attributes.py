"""Lines in .gitattributes: missing lines are added at the end, and nothing else changes."""

from pathlib import Path

import pytest

from gitgpu.write.atomic_file import os_fault
from gitgpu.write.git_attributes import attributes, extend, missing_patterns
from tests.helping.cases import for_each

FILES, LISTS = "overlays/**", "overlays/**/kustomization.yaml"


@for_each(
    ("content", "missing"),
    [
        (b"", (FILES, LISTS)),
        (b"overlays/** text\n", (LISTS,)),
        (b"/overlays/** text\n", (LISTS,)),
        (b'"overlays/**" text\n', (LISTS,)),
        (b"  overlays/**   -text\n\n* text=auto\n", (LISTS,)),
        (b"overlays/**\noverlays/**/kustomization.yaml merge=ours\n", ()),
        (b"# overlays/** text\n", (FILES, LISTS)),
        (b"\xff\xfe\noverlays/** text", (LISTS,)),
    ],
)
def test_an_existing_line_for_a_pattern_is_not_changed(content: bytes, missing: tuple[str, ...]) -> None:
    assert missing_patterns(content) == missing


@pytest.mark.parametrize(
    ("content", "between", "end"),
    [(b"", "", "\n"), (b"* text\n", "", "\n"), (b"* text", "\n", "\n"), (b"* text\r\n", "", "\r\n")],
)
def test_lines_are_added_in_the_line_ends_of_the_file(tmp_path: Path, content: bytes, between: str, end: str) -> None:
    path = tmp_path / ".gitattributes"
    path.write_bytes(content)
    added = extend(str(path), content)
    assert added == attributes()
    assert [line.split()[0] for line in added.splitlines()] == ["#", FILES, LISTS]
    assert path.read_bytes() == content + (between + added).replace("\n", end).encode()
    complete = path.read_bytes()
    assert extend(str(path), complete) == ""
    assert path.read_bytes() == complete


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"")
    link = tmp_path / ".gitattributes"
    link.symlink_to(target)
    with pytest.raises(OSError, match="symbolic"):
        extend(str(link), b"")
    assert target.read_bytes() == b""


def test_an_error_without_a_system_message_is_still_described() -> None:
    assert os_fault("a", OSError("it is odd")).message == "it is odd"
    assert os_fault("a", OSError(28, "No space left on device")).message == "No space left on device"
