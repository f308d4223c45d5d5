"""Files with the output of other programs, including Windows encodings."""

from pathlib import Path

from gitgpu.cli.input.program_outputs import read_outputs


def test_files_of_windows_powershell(tmp_path: Path) -> None:
    """There, `az ... > pools.json` writes UTF-16. A Terraform plan file is not text."""
    content = '[{"name": "gpu"}]\r\n'
    (tmp_path / "a.json").write_bytes(content.encode("utf-16"))
    (tmp_path / "b.json").write_bytes(content.encode())
    (tmp_path / "plan.json").write_bytes(b"PK\x03\x04rest")
    texts, faults = read_outputs([str(tmp_path)])
    assert [text.content for text in texts] == [content, content]
    assert [(fault.code, Path(fault.span.file).name) for fault in faults] == [("IMP004", "plan.json")]
