"""The comparison of a build with the last one of the same spec."""

from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from gitgpu.cli.build_.arguments import Arguments
from gitgpu.cli.fleets.stamp import matching_stamp, stamp_of
from gitgpu.cli.settings import Settings
from gitgpu.load.text import Text
from gitgpu.write.cache import Stamp
from gitgpu.write.cache_file import needs_no_build
from gitgpu.write.disk_state import scanning


class Cached(NamedTuple):
    """The stamp of this build, that of the last build if it proves the spec, and whether the output is unchanged."""

    stamp: Stamp
    last: Stamp | None
    is_unchanged: bool


def compare_with_last(texts: Sequence[Text], arguments: Arguments, settings: Settings, *, sound: bool) -> Cached:
    """Compares this build with the last one, of the same spec. The input is `sound` if nothing in it is unreadable."""
    likely = sound and arguments.is_complete
    # Other processes look at the output while this one reads the catalog.
    with closing(scanning(settings.out, arguments.jobs if likely else 1)) as scan:
        stamp = stamp_of(texts, settings)
        last = matching_stamp(stamp, settings.out)
        if last is None or not likely:
            return Cached(stamp, last, is_unchanged=False)
        return Cached(stamp, last, needs_no_build(settings.out, last, scan, by_content=not arguments.check))
