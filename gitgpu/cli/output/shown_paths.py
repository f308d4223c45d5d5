"""The paths that findings show: in text from the current directory, for CI from the root of the Git work tree."""

import os
import re
from collections.abc import Callable, Mapping

from gitgpu.cli.global_options import start_directory
from gitgpu.cli.input.texts import PIPED
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.allowed_paths import real_path, work_tree
from gitgpu.report.findings import Findings

# A place in a message, such as fleet/pools.yaml:12:3. It is looked for at the start of a word only: a search from each
# character of a long word takes the square of its length.
_PLACE = re.compile(r"(?<![^\s'\"(),;])([^\s'\"(),;]+):\d+:\d+")
FROM_ROOT = ("azure", "github", "sarif")


def with_shown_paths(findings: Findings, output_format: str = "") -> Findings:
    """The findings with the paths that the format shows, including paths in messages and remedies."""
    start = start_directory()
    if output_format not in FROM_ROOT and not start:
        return findings
    path_of = _root_path(start) if output_format in FROM_ROOT else lambda path: os.path.relpath(path, start)
    files = set(findings.sources)
    for diagnostic in findings.diagnostics:
        files.add(diagnostic.span.file)
        files.update(filter(os.path.lexists, _PLACE.findall(diagnostic.message)))
    names = {file: path_of(file).replace(os.sep, "/") for file in files if _is_path(file)}
    changed = {file: name for file, name in names.items() if file != name}
    return _rename(findings, changed) if changed else findings


def _is_path(file: str) -> bool:
    """Whether it is the path of a file, not standard input or a file of a Git revision."""
    return file not in ("", PIPED) and (":" not in file or os.path.lexists(file))


def _root_path(start: str | None) -> Callable[[str], str]:
    """The path from the root of the surrounding Git work tree; without one, from the current directory."""

    def path_of(file: str) -> str:
        folder = real_path(os.path.dirname(file))
        root = work_tree(folder)
        if root:
            return os.path.relpath(os.path.join(folder, os.path.basename(file)), root)
        return os.path.relpath(file, start) if start else file

    return path_of


def _rename(findings: Findings, names: Mapping[str, str]) -> Findings:
    # The longest first: an alternation takes the first name that fits.
    files = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    place = re.compile(rf"(?<![\w./-])({files})(?=:\d+:\d+)")

    def text(message: str) -> str:
        return place.sub(lambda match: names[match[1]], message)

    def rename(diagnostic: Diagnostic) -> Diagnostic:
        span = diagnostic.span._replace(file=names.get(diagnostic.span.file, diagnostic.span.file))
        return diagnostic._replace(span=span, message=text(diagnostic.message), help=text(diagnostic.help))

    return findings._replace(
        diagnostics=tuple(map(rename, findings.diagnostics)),
        sources={names.get(file, file): content for file, content in findings.sources.items()},
    )
