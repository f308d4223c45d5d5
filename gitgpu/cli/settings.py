"""The settings of a command: its arguments, then the configuration, then the defaults."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import click

from gitgpu.cli.codes import correction, current
from gitgpu.cli.global_options import named_config
from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.allowed_paths import real_path, work_tree
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.ambiguity import other_claims
from gitgpu.load.configuration.content import Config, LintConfig
from gitgpu.load.configuration.files import read_config
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.configuration.out_directory import OutDirectory, is_utf8, out_directory
from gitgpu.load.overlays import is_built
from gitgpu.load.read import exists
from gitgpu.policy import ADJUSTMENTS, ALWAYS_REPORTED, Policy, entry
from gitgpu.source import Span

_RESERVED = frozenset({".git", ".github"})
MAX_SHOWN = 1000  # the most findings that are shown, to keep logs readable


class FindingOptions(NamedTuple):
    """The options about findings; empty if the configuration decides."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str = ""
    today: str = ""
    maximum: int = MAX_SHOWN

    @property
    def narrows(self) -> bool:
        """Whether options change which findings the configuration reports."""
        return bool(self.select or self.ignore or self.today)


_DEFAULTS = FindingOptions()


class FixOptions(NamedTuple):
    """Whether to write safe fixes, or to show them."""

    write: bool
    show: bool


class Settings(NamedTuple):
    """The fleet's paths, the output directory, the user's own catalogs, which findings to report, and faults.

    `allowed` is what the configuration suppresses, as text.
    """

    paths: tuple[str, ...]
    target: OutDirectory
    catalogs: tuple[Folder, ...]
    policy: Policy
    fail_on: str
    lint: LintConfig
    allowed: str
    faults: tuple[Diagnostic, ...]
    chosen: FindingOptions
    select_at: Span

    @property
    def fleet(self) -> FleetOptions:
        """How the fleet is read."""
        return FleetOptions(self.catalogs, self.policy.today, self.target)

    @property
    def out(self) -> str:
        """The output directory, relative to the current directory."""
        return self.target.folder

    def judging(self, reportable: Callable[[], Collection[str]], *, whole: bool) -> "Settings":
        """The settings for a run that can report these codes; `whole` if it covers all configured input.

        Raises click.UsageError for a prefix on the command line that matches no code. A prefix in the configuration may
        be for another command, but is a fault if this command would report nothing.
        """
        chosen = (*self.chosen.select, *self.chosen.ignore, *self.policy.select)
        codes = (*reportable(), *ALWAYS_REPORTED) if chosen else ()  # listing them imports all rules
        self._require(codes, reportable)
        policy = self.policy._replace(
            select=tuple(current(prefix, reportable) for prefix in self.policy.select),
            ignore=tuple(current(prefix, reportable) for prefix in self.policy.ignore),
            judges=lambda code: code in reportable(),
            whole=whole,
            current=lambda code: current(code, reportable),
            correction=lambda code: correction(code, reportable),
        )
        selects_nothing = policy.select and not any(code.startswith(policy.select) for code in codes)
        faults = (*self.faults, self._nothing_selected()) if selects_nothing else self.faults
        return self._replace(policy=policy, faults=faults)

    def _require(self, codes: Collection[str], reportable: Callable[[], Collection[str]]) -> None:
        for prefix in (*self.chosen.select, *self.chosen.ignore):
            chosen = current(prefix, reportable)
            if not any(code.startswith(chosen) for code in codes):
                raise click.UsageError(f"this command does not report codes that start with '{prefix}'")

    def _nothing_selected(self) -> Diagnostic:
        message = f"this command does not report the codes in select: {', '.join(self.policy.select)}"
        remedy = "add codes that it reports (see `gitgpu rule list`), or remove select"
        return fault("CFG001", message, remedy, self.select_at)


def with_out_directory_faults(base: Settings) -> Settings:
    """The settings for a run that reads or writes the output directory, with the faults of that directory.

    It must not contain the fleet or be a home directory, and Flux or Argo CD must be able to refer to it.
    """
    out = os.path.realpath(base.out)
    if not base.target.known and not is_utf8(out):
        return _refuse(base, "its path is not UTF-8, so delivery.path cannot contain it", "rename the directory")
    reserved = _reserved_folder(out)
    if reserved:
        return _refuse(base, f"it is below {reserved}", "use a separate directory, such as overlays")
    if not os.path.isdir(out):
        return base
    inside = {path: path for path in base.paths}
    if not is_built(out):
        inside["your home"] = os.path.expanduser("~")
    for name, path in inside.items():
        if os.path.commonpath((out, os.path.realpath(path))) == out:
            return _refuse(base, f"it contains {name}", "use a separate directory, such as overlays")
    return base


def _reserved_folder(out: str) -> str:
    """The directory of Git or GitHub that a path in a work tree is below, or "".

    A file there can run: a pull request that sets `out` must not make a build write workflows or hooks.
    """
    root = work_tree(out)
    below = os.path.relpath(out, root) if root else ""
    return next((part for part in below.split(os.sep) if part.lower() in _RESERVED), "")


def _refuse(base: Settings, reason: str, remedy: str) -> Settings:
    refusal = fault("OUT006", f"refusing to build into this directory: {reason}", remedy, Span(base.out))
    return base._replace(faults=(*base.faults, refusal))


_SAVED: Mapping[str, str] = MappingProxyType({})


def fleet_settings(
    paths: Sequence[str],
    chosen: FindingOptions = _DEFAULTS,
    out: str | None = None,
    unsaved: Mapping[str, str] = _SAVED,
) -> Settings:
    """The settings of a run over a fleet. `unsaved` are texts that stand for the files with these names."""
    config, faults = read_config(paths, named_config(), unsaved)
    base = _settings(config, faults, chosen, out).judging(_fleet_codes, whole=not paths)
    fleet_paths = _fleet(paths, config)
    if fleet_paths:
        # `--config` chooses one of several configurations.
        rivals = () if named_config() or faults else other_claims(config, paths, fleet_paths, base.target)
        absent = [path for path in fleet_paths if path not in paths and not exists(path)]
        missing = [_missing(path, config.file) for path in absent]
        present = tuple(path for path in fleet_paths if path not in absent)
        return base._replace(paths=present, faults=(*base.faults, *rivals, *missing))
    remedy = "pass a file or directory, or create a starter fleet with `gitgpu init`"
    message = "no fleet found: there is no fleet.yaml and no directory fleet"
    return base._replace(faults=(*base.faults, fault("INP005", message, remedy, Span("."))))


def _missing(path: str, config_file: str) -> Diagnostic:
    """The fault of a path that the configuration names, and not the user, who may not know where it comes from."""
    return fault("INP001", "does not exist", f"correct `fleet` in {config_file}, or restore it", Span(path))


@cache
def _fleet_codes() -> frozenset[str]:
    """The codes that commands for a fleet can report, and that users can choose."""
    from gitgpu.report.reference.faults import faults  # noqa: PLC0415  few runs need it
    from gitgpu.rules.fleet_rulebook import fleet_codes  # noqa: PLC0415  all rules

    return fleet_codes().union(listed.code for listed in faults() if listed.code.startswith(ADJUSTMENTS))


def settings_without_fleet(
    paths: Sequence[str] = (), chosen: FindingOptions = _DEFAULTS, unsaved: Mapping[str, str] = _SAVED
) -> Settings:
    """The settings that need no fleet; `paths` are those that the configuration names."""
    return _settings(*read_config(paths, named_config(), unsaved), chosen, None)


def _fleet(paths: Sequence[str], config: Config) -> tuple[str, ...]:
    """The paths of the fleet. The directory of a configuration stands for the fleet that the configuration names."""
    named: list[str] = []
    config_folder = real_path(os.path.dirname(config.file)) if config.file and config.fleet else ""
    for path in paths or config.fleet:
        named += config.fleet if real_path(path) == config_folder else (path,)
    return tuple(dict.fromkeys(named))


def _settings(config: Config, faults: Sequence[Diagnostic], chosen: FindingOptions, out: str | None) -> Settings:
    allow = tuple(map(entry, config.allow))
    policy = Policy(chosen.select or config.select, chosen.ignore or config.ignore, allow, chosen.today)
    nowhere = Span("")  # if the place of a suppression changes, the findings do not
    suppressed = (config.select, config.ignore, [allowance._replace(place=nowhere) for allowance in config.allow])
    out_at = nowhere if out else config.out_at
    target = out_directory(out or config.out, config.file, out_at, [folder.path for folder in config.catalog])
    return Settings(
        paths=config.fleet,
        target=target,
        catalogs=config.catalog,
        policy=policy,
        fail_on=chosen.fail_on or config.fail_on,
        lint=config.lint,
        allowed=repr(suppressed) if any(suppressed) else "",
        faults=tuple(faults),
        chosen=chosen,
        select_at=config.select_at,
    )
