"""The compiler in order. Read this first: each step below is a folder, and what it hands on is a frozen value."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gitgpu.check import check, fleet_rules
from gitgpu.conform import conform, norms
from gitgpu.diagnostic import Diagnostic, Severity, worst
from gitgpu.emit import emit, emitters
from gitgpu.load.catalog import CatalogFiles
from gitgpu.load.read import read_paths
from gitgpu.load.schemas import Schemas
from gitgpu.load.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.plan import plan
from gitgpu.write.layout import lay_out


@dataclass(frozen=True, slots=True)
class Build:
    """What a run knows: the texts it read, the linked fleet (None without a sound head), every finding, and the files
    of the clusters that were built. There are files or there are errors, never both. `objects` counts documents."""

    texts: tuple[Text, ...]
    inputs: Inputs | None
    diagnostics: tuple[Diagnostic, ...]
    objects: int
    clusters: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)


def validate(paths: Iterable[str], catalogs: tuple[str, ...] = ()) -> Build:
    """Is this fleet sound? Reads, links and checks; emits nothing."""
    texts, unread = read_paths(paths)
    documents, misshapen = shape(texts)
    catalog = Catalog(CatalogFiles(catalogs))
    inputs, unlinked = link(documents, catalog)
    faults = [*unread, *misshapen, *unlinked]
    if inputs and all(one.sound for one in documents if one.kind == "Cluster"):
        faults += check(inputs, {fault.object for fault in unlinked})
    return Build(tuple(texts), inputs, (*faults, *catalog.files.faults), len(documents))


def build(paths: Iterable[str], catalogs: tuple[str, ...], pick: Callable[[Sequence[str]], Sequence[str]]) -> Build:
    """The files of the picked clusters, unless anything is wrong with the fleet or with what we made of it."""
    found = validate(paths, catalogs)
    if found.inputs is None or worst(found.diagnostics) is Severity.ERROR:
        return found
    picked = pick([cluster.name for cluster in found.inputs.clusters])
    files: dict[str, str] = {}
    faults: list[Diagnostic] = []
    using, measure = emitters(), norms(Schemas(), found.inputs.catalog.must("labels", "karpenter"))
    for cluster in found.inputs.clusters:
        if cluster.name in picked:
            manifests = emit(plan(found.inputs, cluster), using)
            faults += conform(manifests, cluster.kubernetes, measure)
            files |= lay_out(manifests)
    sound = worst(faults) is not Severity.ERROR
    return replace(found, diagnostics=(*found.diagnostics, *faults), clusters=tuple(picked), files=files if sound else {})


def titles() -> dict[str, str]:
    """What each rule forbids, by code."""
    return {rule.code: rule.summary for rule in fleet_rules()}
