"""Shell completion of pins: the name of a chart or image, and its version after NAME=."""

import os
from collections.abc import Iterable, Iterator
from contextlib import chdir
from itertools import chain

import click

from gitgpu.cli.global_options import directory_of
from gitgpu.cli.settings import settings_without_fleet
from gitgpu.model.catalog import Catalog, catalog


def pins(context: click.Context) -> Iterator[str]:
    """Names of charts and images, alone and with = and each version. If the shell splits words at =, only versions."""
    facts = _catalog(context)
    before: tuple[str, ...] = context.params.get("wanted") or ()
    if before[-1:] == ("=",):
        return iter(facts.versions(before[-2]))
    if before and _is_behind_equals():
        return iter(facts.versions(before[-1]))
    names = sorted({*facts.rows("charts"), *facts.rows("containers")})
    return chain(names, _with_versions(names, facts))


def _with_versions(names: Iterable[str], catalog: Catalog) -> Iterator[str]:
    for name in names:
        for version in catalog.versions(name):
            yield f"{name}={version}"


def _catalog(context: click.Context) -> Catalog:
    with chdir(directory_of(context)):
        return catalog(settings_without_fleet(context.params.get("paths") or ()).catalogs)


def _is_behind_equals() -> bool:
    """Whether the word to complete is a separate "=". Bash makes a word of it, and click an empty word."""
    words, at = os.environ.get("COMP_WORDS", "").split(), os.environ.get("COMP_CWORD", "")
    return at.isdigit() and words[int(at) : int(at) + 1] == ["="]
