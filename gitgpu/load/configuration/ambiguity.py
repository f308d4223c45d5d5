"""Several configurations that apply to the same fleet: a build would use one or another, depending on its command."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.allowed_paths import real_path
from gitgpu.load.configuration.content import FILE, PROJECT, Config, config_of
from gitgpu.load.configuration.files import configs_above, is_config, nearest_configs
from gitgpu.load.configuration.out_directory import OutDirectory
from gitgpu.load.read import STANDARD_INPUT
from gitgpu.load.walk import walk
from gitgpu.source import Span

_KEYS = ("out", "catalog", "select", "ignore", "failOn", "allow")


def other_claims(config: Config, named: Sequence[str], paths: Sequence[str], out: OutDirectory) -> list[Diagnostic]:
    """CFG002 for each configuration that also applies to a fleet and has different content.

    `named` are the paths on the command line, and `paths` the paths of the fleet. A configuration applies if it is the
    nearest one to a named path, if it is inside the fleet, or if its own `fleet` contains the fleet.
    """
    inside = list(dict.fromkeys(chain.from_iterable(_inside(path, config, out) for path in paths)))
    outside: list[str] = []
    for path in paths:
        outside += (file for file in configs_above(path) if _claims(file, path))
    return _contradictions(config, dict.fromkeys((*nearest_configs(named), *inside, *outside)))


def _contradictions(config: Config, files: Iterable[str]) -> list[Diagnostic]:
    """The faults of files that differ from the configuration, or from the first file if it is not a file."""
    faults: list[Diagnostic] = []
    first = config
    for file in files:
        if not first.file:
            first, _ = config_of(file)
        elif real_path(file) != real_path(first.file):
            other, _ = config_of(file)
            if different := _differences(first, other):
                faults.append(_fault(first.file, other.file, different))
    return faults


def _inside(path: str, config: Config, out: OutDirectory) -> Iterator[str]:
    """The configurations in directories of the fleet, below the directory of the configuration that is used."""
    if path == STANDARD_INPUT:
        return
    top = os.path.abspath(os.path.dirname(config.file) if config.file else path)
    names = walk(path, [], out.skipped) if os.path.isdir(path) else ()
    folders = {os.path.dirname(os.path.abspath(os.path.join(path, name))) for name in names}
    folders |= {os.path.abspath(path)}  # of a file, only the directories above it have configurations
    waiting, seen = sorted(folders), set()
    while waiting:
        folder = waiting.pop()
        if folder in seen or not folder.startswith(os.path.join(top, "")):
            continue
        seen.add(folder)
        waiting.append(os.path.dirname(folder))
    for folder in sorted(seen):
        files = (os.path.join(folder, name) for name in (FILE, PROJECT))
        config_file = next((file for file in files if os.path.isfile(file) and is_config(file)), None)
        if config_file:
            yield os.path.relpath(config_file)


def _claims(file: str, path: str) -> bool:
    """Whether a configuration names this path, or a directory that contains it, as its fleet."""
    whole = real_path(path)
    config, _ = config_of(file)
    fleets = map(real_path, config.fleet)
    return any(whole == fleet or whole.startswith(os.path.join(fleet, "")) for fleet in fleets)


def _differences(first: Config, second: Config) -> list[str]:
    pairs = zip(_KEYS, _content(first), _content(second), strict=True)
    return [key for key, left, right in pairs if left != right]


def _content(config: Config) -> tuple[object, ...]:
    """The keys and values of a configuration, without places."""
    allow = [allowance._replace(place=Span("")) for allowance in config.allow]
    catalogs = [real_path(folder.path) for folder in config.catalog]
    return real_path(config.out), catalogs, config.select, config.ignore, config.fail_on, allow


def _fault(first: str, second: str, different: Sequence[str]) -> Diagnostic:
    message = f"this configuration and {second} apply to the same fleet and differ in {', '.join(different)}"
    remedy = f"build each fleet separately, or choose one: --config {first}"
    return fault("CFG002", message, remedy, Span(first))
