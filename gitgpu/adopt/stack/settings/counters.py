"""Which DCGM fields are exported: a list that has a name in the spec, or the fields by name."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.evidence import Evidence, default_of
from gitgpu.adopt.stack.gpu_daemons import EXPORTER
from gitgpu.adopt.stack.owned_software import owned_software
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.inventory.observed import Observed
from gitgpu.model.catalog import Catalog
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.monitoring.counter_lists import CounterList, counter_lists, listed_counters
from gitgpu.objects.software.daemons import daemons
from gitgpu.source import Pointer
from gitgpu.spelling import count_text

_PATH: Pointer = ("metrics", "counters")


def infer(view: View) -> Iterator[Evidence]:
    """The longest counter list of an exporter: shorter ones omit what their GPUs do not have."""
    if not view.has("aks", "operator") or owned_software(view, EXPORTER):
        return  # gitgpu configures no DCGM exporter
    lists = [*counter_lists(view.objects), *_operator_lists(view)]
    if not lists:
        yield from _image_counters(view)
        return
    longest = max(lists, key=lambda counters: len(counters.lines))
    fields = [line.fields[0] for line in longest.lines]
    exported = _exported(view.catalog)
    observed = view.original(longest.item)
    for field in fields:
        if field not in exported:
            reason = f"gitgpu does not export {field}, which {observed.name} lists"
            yield Evidence(_PATH, None, reason, observed, longest.pointer, fate=Fate.INEXPRESSIBLE)
    yield _counters([field for field in fields if field in exported], observed, longest.pointer, view)


def _image_counters(view: View) -> Iterator[Evidence]:
    """Evidence for an exporter without a list: it uses the one in its image, which differs from gitgpu's."""
    default = default_of(_PATH)
    for daemon in daemons(view.objects, EXPORTER):
        reason = f"{daemon.title} exports the counters of its image; gitgpu exports the counters {default}"
        item, place = daemon.place
        yield Evidence(_PATH, default, reason, view.original(item), place)


def _operator_lists(view: View) -> Iterator[CounterList]:
    for release in operators(view.objects):
        text = release.value("dcgmExporter", "config", "data")
        if isinstance(text, str):
            place = release.place("dcgmExporter", "config", "data")
            yield CounterList(release.item, place, listed_counters(text))


def _counters(fields: Sequence[str], observed: Observed, pointer: Pointer, view: View) -> Evidence:
    """The exported fields as `standard` or `profiling` if they are exactly these, else by name."""
    rows = {name: set(row["fields"]) for name, row in view.catalog.rows("counters").items()}
    presets: dict[str, set[str]] = {
        "standard": rows["standard"],
        "profiling": rows["standard"] | rows["profiling"],
    }
    word = next((name for name, wanted in presets.items() if wanted == set(fields)), "")
    if word == "standard" and not any(_profiled(nodes) for nodes in view.pools):
        word = "profiling"  # the default: on GPUs without these counters, both export the same
    value: Any = word or list(fields)
    text = f"the counters {word}" if word else f"{count_text(len(fields), 'counter')} by name"
    return Evidence(_PATH, value, f"{observed.name} lists {text}", observed, pointer)


def _profiled(nodes: PoolNodes) -> bool:
    """Whether a GPU of these nodes may have the counters of `profiling`."""
    skus = nodes.karpenter.skus if nodes.karpenter else ()
    return any(sku.gpu is not None and sku.gpu.profiling is True for sku in skus) or not skus


def _exported(catalog: Catalog) -> frozenset[str]:
    return frozenset(chain.from_iterable(row["fields"] for row in catalog.rows("counters").values()))
