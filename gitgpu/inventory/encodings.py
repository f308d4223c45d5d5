"""The bytes of a command's output as text: UTF-8, or UTF-16, which Windows PowerShell writes to files."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.read import decode
from gitgpu.load.text import Text
from gitgpu.source import Span

_ZIP = b"PK\x03\x04"


def decode_output(path: str, raw: bytes, label: str | None = None) -> Text | Diagnostic:
    """Bytes as text. Terraform's plan files, which are ZIP archives, are faults (IMP004)."""
    if raw.startswith(_ZIP):
        remedy = "if it is a Terraform plan, run `terraform show -json FILE`, and pass its output"
        return fault("IMP004", "a binary file (ZIP), not text", remedy, Span(path))
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            return decode(path, raw.decode("utf-16").encode(), label)
        except UnicodeError:
            remedy = "run the command again, and pass its complete output"
            return fault(
                "IMP004", "not UTF-16, although it starts with a UTF-16 byte order mark", remedy, Span(path, 1, 1)
            )
    return decode(path, raw, label)
