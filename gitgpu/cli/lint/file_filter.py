"""Findings in some files of a larger run: those that have changed, as pre-commit and CI name them."""

import os
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from gitgpu.cli.output.streams import note
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.allowed_paths import real_path
from gitgpu.load.read import exists
from gitgpu.report.findings import Findings
from gitgpu.spelling import count_text

_ABOUT_THE_RUN = ("CAT", "CFG", "INT")  # prefixes of codes: without these faults, other findings would be different


class FileFilter(NamedTuple):
    """The real paths of the files and directories whose findings are wanted."""

    paths: frozenset[str]

    def has(self, file: str) -> bool:
        """Whether a file is one of them, or in one of the directories."""
        path = real_path(file)
        while path not in self.paths:
            parent = os.path.dirname(path)
            if parent == path:
                return False
            path = parent
        return True

    def of(self, findings: Findings) -> Findings:
        """The findings in these files, and those about the run itself."""
        files = {file for file in {finding.span.file for finding in findings.diagnostics} if self.has(file)}
        return findings._replace(
            diagnostics=tuple(finding for finding in findings.diagnostics if _is_wanted(finding, files))
        )


def file_filter(paths: Sequence[str]) -> FileFilter:
    """The filter for these files and directories. Those that do not exist, such as deleted files, are noted."""
    missing_paths = [path for path in paths if not exists(path)]
    if missing_paths:
        note(f"not found: {', '.join(missing_paths)}")
    return FileFilter(frozenset(map(real_path, paths)))


def note_others(paths: Sequence[str], findings: Iterable[Diagnostic]) -> None:
    """Notes how many of these findings, which are not reported, are in files that no path names."""
    named = FileFilter(frozenset(map(real_path, paths)))
    others = sum(1 for finding in findings if finding.span.file and not named.has(finding.span.file))
    if others:
        note(f"{count_text(others, 'finding')} in other files: see `gitgpu lint` without --filter")


def _is_wanted(finding: Diagnostic, files: Collection[str]) -> bool:
    file = finding.span.file
    return not file or file in files or finding.code.startswith(_ABOUT_THE_RUN)
