"""Identifies the input of a build with three short texts: the program, the catalog and the spec."""

from collections.abc import Sequence
from contextlib import closing
from operator import attrgetter

from gitgpu import __version__
from gitgpu.cli.settings import Settings
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.program_time import program_time
from gitgpu.load.read import data_text
from gitgpu.load.text import Text
from gitgpu.report.findings import Findings
from gitgpu.write.cache import Stamp
from gitgpu.write.cache_file import needs_no_build, read_stamp
from gitgpu.write.disk_state import scanning
from gitgpu.write.tree import digest


def stamp_of(texts: Sequence[Text], settings: Settings) -> Stamp:
    """The stamp of a build of these texts: the same on every machine and in every directory."""
    schema = data_text("schemas/fleet.schema.json").encode()
    facts = digest(schema, *CatalogFiles(settings.catalogs).everything())
    return Stamp(f"gitgpu {__version__}", facts, _inputs(texts, settings))


def matching_stamp(stamp: Stamp, out: str) -> Stamp | None:
    """The stamp of the last build, if this version built the output from the same input, with nothing to report."""
    last = read_stamp(out)
    # After a build with findings, the stamp has no inputs (`mixed`).
    same = last and last.objects and stamp.inputs and last == stamp._replace(objects=last.objects)
    return last if same and read_stamp(out, program_time()) else None


def unchanged_stamp(texts: Sequence[Text], settings: Settings) -> Stamp | None:
    """The same stamp, but only if the output has not changed since: it could come from another machine or an edit."""
    if not is_from(texts, settings):
        return None
    with closing(scanning(settings.out, None)) as scan:
        last = matching_stamp(stamp_of(texts, settings), settings.out)
        return last if last and needs_no_build(settings.out, last, scan, by_content=False) else None


def is_from(texts: Sequence[Text], settings: Settings) -> bool:
    """Whether the output was built from this spec.

    Catalog and program are not compared, because reading them takes longer.
    """
    last = read_stamp(settings.out)
    return last is not None and last.inputs == _inputs(texts, settings)


def no_findings(texts: Sequence[Text], stamp: Stamp) -> Findings:
    """The findings of a check whose spec is unchanged since a build without findings."""
    return Findings((), len(texts), stamp.objects, {text.name: text.content for text in texts})


def _inputs(texts: Sequence[Text], settings: Settings) -> str:
    """A sha256 of everything that determines the findings about a spec, except the catalog."""
    sorted_texts = sorted(texts, key=attrgetter("label"))
    spec = "".join(f"{text.label}\0{text.content}\0" for text in sorted_texts)
    target = settings.target
    place = (target.path, target.rooted, target.known, target.out_at.line > 0)
    # Without one of its suppressions, the configuration reports more findings. A suppression without a finding is
    # reported only by a run over the whole fleet.
    allowed = (settings.allowed, settings.policy.whole) if settings.allowed else ()
    return digest(f"{spec}{place}\0{allowed}".encode(errors="surrogateescape"))
