"""The check of what a build emits: whether the API server accepts the objects, and whether they work.

The rules for it are a third of the program. While a build reads a small fleet, another process imports them; then it
checks the objects of each cluster while this process runs the rules about the fleet.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from gitgpu.diagnostic import Diagnostic
from gitgpu.jobs.prepared import PreparedWorker, start_worker
from gitgpu.load.catalog.folders import Folder
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.objects import Given, Kinds
from gitgpu.objects.safeguards import Safeguards

# The objects of a cluster, the kinds of others that it has, what it runs, the safeguards of AKS Automatic, and the day.
Emitted: TypeAlias = tuple[Sequence[Given], Kinds, str, Versions, Safeguards | None, str]
OutputCheck: TypeAlias = Callable[[Emitted], Sequence[Diagnostic]]
OutputChecker: TypeAlias = PreparedWorker[Emitted, Sequence[Diagnostic]]

_REMEMBERED = 4  # sets of objects that are remembered: clusters of one kind follow each other


def output_check(facts: Catalog) -> OutputCheck:
    """A function that returns the faults of emitted objects. Clusters of one kind have equal objects, checked once."""
    from gitgpu.load.schemas import Schemas  # noqa: PLC0415  a third of the program
    from gitgpu.objects.items import as_on_any_cluster  # noqa: PLC0415
    from gitgpu.rules.norms import own_norms  # noqa: PLC0415
    from gitgpu.rules.object_findings import object_findings  # noqa: PLC0415

    norms = own_norms(Schemas(), facts)
    faultless: dict[tuple[Any, ...], list[Any]] = {}

    def check(emitted: Emitted) -> Sequence[Diagnostic]:
        objects, beyond, kubernetes, versions, safeguards, day = emitted
        known = faultless.setdefault((beyond, kubernetes, versions, safeguards, day), [])
        checked = [(given.patch, as_on_any_cluster(given).body) for given in objects]
        if checked in known:
            return ()
        cluster_norms = replace(norms, versions=versions, safeguards=safeguards, day=day)
        faults = object_findings(objects, kubernetes, cluster_norms, beyond=beyond)
        if not faults:
            known[:] = [checked, *known[: _REMEMBERED - 1]]
        return faults

    return check


@contextmanager
def output_checker(
    catalogs: tuple[Folder, ...], jobs: int | None, *, at_once: bool
) -> Generator[OutputChecker | None, None, None]:
    """Another process that checks output with these catalogs, if it should start `at_once` and is useful; else None."""
    checker = start_worker(partial(_prepare, catalogs), jobs) if at_once else None
    try:
        yield checker
    finally:
        if checker:
            checker.close()


def _prepare(catalogs: tuple[Folder, ...]) -> OutputCheck:
    from gitgpu.rules.object_rulebook import own_rules  # noqa: PLC0415  as above

    own_rules()
    return output_check(catalog(catalogs))
