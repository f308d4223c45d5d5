"""The findings that no rule makes: what their codes mean, for those who look one up."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.report.fault_texts import TEXT
from gitgpu.report.import_faults import IMPORT


class Fault(NamedTuple):
    """A code, what it stands for, and what to do. It is an error unless the summary says otherwise."""

    code: str
    summary: str
    help: str
    section: str


def faults() -> Iterator[Fault]:
    """Every one, section by section."""
    for part in f"{TEXT}{IMPORT}".strip("# \n").split("\n\n# "):
        section, *lines = part.splitlines()
        for told, remedy in zip(lines[::2], lines[1::2], strict=True):
            code, _, summary = told.partition(" ")
            yield Fault(code, summary, remedy.strip(), section)
