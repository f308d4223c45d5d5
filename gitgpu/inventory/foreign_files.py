"""Files in directories that may describe a fleet in an unsupported format: one finding for each folder and format.

They are recognised by their names and beginnings. Files without a word about AKS or GPUs are ignored.
"""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import product
from posixpath import basename, dirname
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.paths import normal_path
from gitgpu.load.read import read_bytes
from gitgpu.load.walk import SUFFIXES, walk
from gitgpu.source import Span
from gitgpu.spelling import count_text

READ = (*SUFFIXES, ".tfstate")  # suffixes of the files that import reads in a directory
_MAX_SEARCHED = 256 * 1024  # bytes of a file that are searched
_HEADER = 64  # bytes of a file that show whether it is a saved plan
# A saved plan is a ZIP archive with the first entry tfplan (internal/plans/planfile of hashicorp/terraform).
_PLAN = re.compile(rb"\A[^\n]*(?:plan[^\n]*\nPK\x03\x04|\nPK\x03\x04.{26}tfplan)", re.DOTALL)
_FLEET = rb"gpu|nvidia|karpenter|standard_n[cdgv]|microsoft\.containerservice"
_OF_TERRAFORM = rb'kubernetes_cluster|"azapi_|"helm_release"|"kube(?:rnetes|ctl)_manifest|\bmodule\s+"|\bsource\s*='


_ANY = ("",)  # for a format whose files can have any name


class _Format(NamedTuple):
    """A format: the suffixes and the content of its files, its name in messages, and what to pass instead."""

    suffixes: tuple[str, ...]
    fits: re.Pattern[bytes]
    code: str
    what: str
    remedy: str


_FORMATS = (
    _Format(
        (".tf", ".tofu", ".hcl"),
        re.compile(_FLEET + b"|" + _OF_TERRAFORM, re.IGNORECASE),
        "IMP003",
        "HCL, not JSON",
        "run `terraform show -json` in its directory, and pass its output",
    ),
    _Format(
        (".bicep", ".bicepparam"),
        re.compile(_FLEET + rb"|^module\s|^using\s", re.IGNORECASE | re.MULTILINE),
        "IMP003",
        "Bicep, not JSON",
        "run `az bicep build --file FILE --stdout`, and pass its output",
    ),
    _Format(
        (".tpl", ".tmpl", ".gotmpl", ".tftpl", ".j2", ".jinja", ".jsonnet", ".libsonnet", ".cue", ".k"),
        re.compile(rb"karpenter\.(?:sh|azure\.com)|\bNodePool\b|nvidia\.com/|ManagedClustersAgentPool"),
        "IMP003",
        "a template, not YAML",
        "render it with its tool, and pass the result",
    ),
    _Format(
        (".jsonc", ".json5"),
        re.compile(_FLEET, re.IGNORECASE),
        "IMP003",
        "JSON with comments",
        "remove the comments, and name it .json",
    ),
    _Format(
        tuple(map("".join, product(READ, (".gz", ".zst", ".bz2", ".xz")))),
        re.compile(b""),
        "IMP004",
        "a compressed file, not text",
        "decompress it first",
    ),
    _Format(
        _ANY,
        _PLAN,
        "IMP004",
        "a binary Terraform plan",
        "run `terraform show -json FILE`, and pass its output",
    ),
)


def foreign_files(paths: Iterable[str]) -> list[Diagnostic]:
    """A warning for each format in each folder of the directories among these paths."""
    by_format: dict[tuple[str, _Format], list[str]] = {}
    for path in dict.fromkeys(normal_path(path) for path in paths if os.path.isdir(path)):
        for name in walk(path, []):
            whole = normal_path(os.path.join(path, name))
            form = None if name.endswith(READ) else _format(whole)
            if form:
                names = by_format.setdefault((dirname(whole), form), [])
                if whole not in names:
                    names.append(whole)
    return list(_findings(by_format))


def _format(path: str) -> _Format | None:
    form = next(form for form in _FORMATS if path.endswith(form.suffixes))  # the last one has any name
    if form.suffixes == _ANY:
        text = os.fsencode(basename(path)) + b"\n" + read_bytes(path, _HEADER)
    else:
        text = read_bytes(path, _MAX_SEARCHED)
    return form if form.fits.search(text) else None


def _findings(by_format: dict[tuple[str, _Format], list[str]]) -> Iterator[Diagnostic]:
    for (folder, form), names in sorted(by_format.items()):
        more = len(names) - 1
        others = f" (and {count_text(more, 'other file')} in {folder or '.'})" if more else ""
        place = Span(names[0].encode(errors="backslashreplace").decode(), 1, 1)
        yield Diagnostic(form.code, Severity.WARNING, f"not read: {form.what}{others}", form.remedy, place)
