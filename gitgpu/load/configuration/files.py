"""Which configuration applies: .gitgpu.yaml or [tool.gitgpu] in pyproject.toml, searched from the fleet upwards.

The nearest one applies, up to the root of the Git work tree. In the same directory, .gitgpu.yaml has precedence.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.allowed_paths import allowed_roots, outside_reason
from gitgpu.load.configuration.content import FILE, PROJECT, TABLE, Config, config_of
from gitgpu.load.read import STANDARD_INPUT, exists, read_text, relative_to, upwards
from gitgpu.load.text import Text
from gitgpu.source import Span

DEFAULT_FLEETS = ("fleet.yaml", "fleet")
_MISNAMED = ".gitgpu.yml"


_SAVED: Mapping[str, str] = MappingProxyType({})


def read_config(
    paths: Sequence[str] = (), file: str | None = None, unsaved: Mapping[str, str] = _SAVED
) -> tuple[Config, list[Diagnostic]]:
    """The configuration for the fleet in these paths, or for the current directory. `file` is one that the user names.

    Without paths, `fleet` can be the default file. Of several configurations, the first is returned. `unsaved` are
    texts that stand for the files with these names.
    """
    chosen = file or next(iter(nearest_configs(paths or (os.curdir,))), "")
    default_fleet = () if paths else _default_fleet(chosen)
    if stray := [why for why in map(_stray, default_fleet) if why]:
        return Config(), stray
    refused = None if file else _misnamed(paths or (os.curdir,)) or (_stray(chosen) if chosen else None)
    if refused or not chosen:
        return Config(default_fleet), [refused] if refused else []
    config, faults = config_of(chosen, unsaved.get(chosen))
    return (config if config.fleet else config._replace(fleet=default_fleet)), faults


def nearest_configs(paths: Sequence[str]) -> list[str]:
    """The nearest configuration to each of these files and directories, without duplicates, in their order."""
    configs = (next(configs_above(path), None) for path in paths)
    return list(dict.fromkeys(path for path in configs if path))


def by_config(paths: Sequence[str]) -> list[tuple[str, ...]]:
    """These files and directories, grouped by their nearest configuration, in their order."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(next(configs_above(path), ""), []).append(path)
    return [tuple(group) for group in groups.values()]


def configs_above(path: str) -> Iterator[str]:
    """The configurations in the directory of a path and above it, nearest first."""
    return upwards(_directory(path), (FILE, PROJECT), is_config)


def _directory(path: str) -> str:
    if path == STANDARD_INPUT:
        path = os.curdir
    return path if os.path.isdir(path) else os.path.dirname(path)


def _misnamed(paths: Sequence[str]) -> Diagnostic | None:
    """The fault of the first file with the other ending of YAML that is nearer than a configuration."""
    for path in paths:
        nearest = next(upwards(_directory(path), (FILE, PROJECT, _MISNAMED), is_config), "")
        if nearest.endswith(_MISNAMED):
            return fault("CFG001", f"is not read: a configuration has the name {FILE}", "rename it", Span(nearest))
    return None


def is_config(path: str) -> bool:
    """Whether a file with a configuration's name is one. A pyproject.toml is if it has gitgpu's table."""
    if not path.endswith(PROJECT):
        return True
    text = read_text(path)
    return isinstance(text, Text) and TABLE in text.content


def _default_fleet(config: str) -> tuple[str, ...]:
    """The fleet with a default name next to a configuration, or in the current directory."""
    around = (relative_to(config or FILE, name) for name in DEFAULT_FLEETS)
    return tuple(name for name in around if exists(name))[:1]


def _stray(path: str) -> Diagnostic | None:
    """The fault of a file that the user has not named, if it is a link out of its repository."""
    why = outside_reason(path, allowed_roots([os.path.dirname(path)]))
    remedy = "replace the link with a copy, or use the path of its target"
    return fault("INP001", f"is not read: it {why}", remedy, Span(path)) if why else None
