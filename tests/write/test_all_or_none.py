"""Files that belong together are all written, or none of them: catalog rows, and edited spec files."""

from pathlib import Path

import pytest

from gitgpu.load.text import Text
from gitgpu.write.catalog.rows import write_rows
from gitgpu.write.spec.apply import write_edited, write_spec


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory with two files, and a folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine/prices").mkdir(parents=True)
    Path("mine/prices/a.yaml").write_bytes(b"\xef\xbb\xbfold: a\r\n")
    Path("mine/prices/b.yaml").write_bytes(b"old: b\n")


def files() -> dict[str, bytes]:
    """Every file with its content."""
    return {str(path): path.read_bytes() for path in Path("mine").rglob("*") if path.is_file()}


@pytest.mark.parametrize("blocked", ["prices/c.yaml", "skus/x.yaml"])
def test_no_row_is_changed_if_one_cannot_be_written(blocked: str) -> None:
    if blocked.startswith("skus"):
        Path("mine/skus").write_text("a file\n", encoding="utf-8")
    else:
        Path("mine", blocked).mkdir()
    before = files()
    texts = {"availability/z.yaml": "new: z\n", "prices/a.yaml": "new: a\n", "prices/b.yaml": "", blocked: "new: c\n"}
    assert [fault.code for fault in write_rows("mine", texts)] in (["OUT004"], ["OUT011"])
    assert files() == before


def test_rows_are_written_and_removed() -> None:
    assert write_rows("mine", {"prices/a.yaml": "new: a\n", "prices/b.yaml": "", "skus/c.yaml": "new: c\n"}) == ()
    assert files() == {"mine/prices/a.yaml": b"new: a\n", "mine/skus/c.yaml": b"new: c\n"}


def test_no_spec_file_is_changed_if_one_cannot_be_written() -> None:
    Path("elsewhere.yaml").write_text("old: c\n", encoding="utf-8")
    Path("mine/prices/c.yaml").symlink_to("../../elsewhere.yaml")
    before = files()
    names = [f"mine/prices/{name}.yaml" for name in "abc"]
    texts = [Text(name, f"new: {name}\n", name) for name in names]
    diagnostics = write_edited(
        texts, {name: Path(name).read_text("utf-8-sig") for name in names[1:]} | {names[0]: "old: a\r\n"}
    )
    assert [fault.code for fault in diagnostics] == ["OUT011"]
    assert files() == before


def test_a_new_spec_replaces_files_only_with_force() -> None:
    texts = {"prices/a.yaml": "new: a\n", "prices/b.yaml": "new: b\n", "more/c.yaml": "new: c\n"}
    before = files()
    diagnostics = write_spec("mine", texts, force=False)
    assert [(fault.code, fault.span.file, fault.message) for fault in diagnostics] == [
        ("OUT005", "mine/prices/a.yaml", "already exists (also mine/prices/b.yaml)")
    ]
    assert files() == before
    assert write_spec("mine", texts, force=True) == ()
    assert files() == {f"mine/{path}": text.encode() for path, text in texts.items()}
    assert write_spec("mine", {"new/d.yaml": "new: d\n"}, force=False) == ()
    assert files()["mine/new/d.yaml"] == b"new: d\n"


def test_a_spec_below_a_file_cannot_be_written_even_with_force() -> None:
    diagnostics = write_spec("mine", {"x.yaml": "x: 1\n", "prices/a.yaml/b.yaml": "y: 1\n"}, force=True)
    assert [(fault.code, fault.span.file) for fault in diagnostics] == [("OUT004", "mine/prices/a.yaml/b.yaml")]
    assert files()["mine/prices/a.yaml"].endswith(b"old: a\r\n")


def test_an_edited_file_keeps_its_byte_order_mark() -> None:
    """The byte order mark, which readers remove, is kept."""
    assert write_edited([Text(f"mine/prices/{name}.yaml", "new: 1\n", "") for name in "ab"], {}) == ()
    assert files() == {"mine/prices/a.yaml": b"\xef\xbb\xbfnew: 1\n", "mine/prices/b.yaml": b"new: 1\n"}


def test_a_read_only_file_is_not_replaced() -> None:
    """Replacing it would need only write permission for its directory."""
    Path("mine/prices/b.yaml").chmod(0o444)
    before = files()
    diagnostics = write_edited([Text(f"mine/prices/{name}.yaml", "new: 1\n", "") for name in "ab"], {})
    assert [(fault.code, fault.span.file) for fault in diagnostics] == [("OUT011", "mine/prices/b.yaml")]
    assert files() == before
