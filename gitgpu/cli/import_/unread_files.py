"""Files of an import that no build reads, because the configuration names the files of the fleet."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from gitgpu.cli.global_options import named_config
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.allowed_paths import real_path
from gitgpu.load.configuration.files import read_config
from gitgpu.source import Span
from gitgpu.spelling import join_names


def unread_files(folder: str, files: Iterable[str]) -> Iterator[Diagnostic]:
    """A warning if the configuration for this directory names a fleet without the files that are written there."""
    config, _ = read_config((folder,), named_config())
    named = [real_path(path) for path in config.fleet]
    written = sorted({path.partition("/")[0] for path in files if not _is_named(real_path(f"{folder}/{path}"), named)})
    if config.file and named and written:
        message = f"`fleet` does not include what is written to {folder}: no build reads it"
        remedy = f"add {join_names(written)} of that directory to `fleet`"
        yield Diagnostic("IMP026", Severity.WARNING, message, remedy, Span(config.file))


def _is_named(path: str, named: Iterable[str]) -> bool:
    return any(Path(path).is_relative_to(each) for each in named)
