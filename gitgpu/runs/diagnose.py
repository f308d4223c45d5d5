"""A dump of a running cluster to its diagnosis."""

from collections.abc import Callable, Sequence

from gitgpu.diagnose.diagnosis import Diagnosis, diagnose
from gitgpu.diagnose.of_fleet import Fleet, with_fleet
from gitgpu.diagnose.reading.dump import OBJECTS, read_dump
from gitgpu.diagnose.reading.state import state_of
from gitgpu.diagnostic import errors, fault
from gitgpu.inventory.observed import Azure
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.rules.norms import norms
from gitgpu.simulate.region import region_of, region_of_nodes
from gitgpu.simulate.setup import Setup
from gitgpu.source import Span


def of_dump(
    texts: Sequence[Text],
    catalog: Catalog,
    region: str = "",
    find_fleet: Callable[[Azure], Fleet] | None = None,
    today: str = "",
) -> Diagnosis:
    """The diagnosis of the cluster that these texts are a dump of. `region` is that of the dump if it is empty.

    `find_fleet` gets what az says about the cluster, and returns what a fleet has for it. Advisories are judged
    on `today` (ISO).
    """
    dump = read_dump(texts)
    state = state_of(dump, norms(Schemas(), catalog, today))
    region = region or dump.azure.region or region_of(state.objects.items) or region_of_nodes(state.objects.items)
    max_pods = int(catalog.must("networks", "azure-overlay")["maxPods"])
    diagnosis = diagnose(state, Setup("", region, max_pods))
    if texts and diagnosis.empty and not errors(diagnosis.unread):
        nothing = fault("IMP001", "there is no pod, node or NodeClaim", OBJECTS, Span(texts[0].name))
        return diagnosis._replace(unread=(*diagnosis.unread, nothing))
    return with_fleet(diagnosis, state, find_fleet(dump.azure)) if find_fleet and not diagnosis.empty else diagnosis
