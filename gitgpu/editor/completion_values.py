"""The values that fit a place in a document, from the catalog and from the other documents of the fleet."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from lsprotocol.types import CompletionItemKind

from gitgpu.editor.choice import Choice
from gitgpu.editor.context import Context
from gitgpu.editor.cursor import Cursor
from gitgpu.editor.documentation import codes
from gitgpu.editor.names import defined_names, kind_use
from gitgpu.editor.pool_sizes import gpus_of, regions_of, size_line
from gitgpu.editor.yaml_tree import Node, parts
from gitgpu.load.spec.shape import API_VERSION
from gitgpu.model.mig import misfit
from gitgpu.model.names.labels import INSTANCE_TYPE_LABEL, NODEPOOL_LABEL, SKU_NAME_LABEL
from gitgpu.model.size.availability import sale_of
from gitgpu.model.syntax.version import version

Values: TypeAlias = Callable[[Context, Cursor], Iterator[Choice]]
_OUT_OF_REACH = "9"  # sorts a size that a region of the pool does not have


def choices(context: Context, cursor: Cursor) -> Iterator[Choice]:
    """The words that are known to fit; none if only the schema says what does."""
    kind = kind_use(cursor.kind, cursor.path)
    if kind and not cursor.at_key:
        names = defined_names(context.names(), kind)
        yield from (Choice(name, kind, CompletionItemKind.Reference) for name in names if name not in cursor.siblings)
        return
    words = tuple(step for step in cursor.path if isinstance(step, str))
    if not cursor.at_key and words[-1:] == (NODEPOOL_LABEL,):
        yield from (
            Choice(name, "GpuPool", CompletionItemKind.Reference) for name in defined_names(context.names(), "GpuPool")
        )
    if not cursor.at_key and words[-1:] in ((INSTANCE_TYPE_LABEL,), (SKU_NAME_LABEL,)):
        yield from _sizes(context, cursor)
    for (kinds, at_key, end), values in _VALUES.items():
        if cursor.kind in kinds and cursor.at_key is at_key and words[-len(end) :] == end:
            yield from values(context, cursor)
    parent = words[:-1]
    if parent[-1:] == ("versions",) and not cursor.at_key and cursor.kind in ("Fleet", "Cluster"):
        yield from _versions(context, words[-1])
    if parent[-1:] == ("matchLabels",) and not cursor.at_key:
        yield from _label_values(context, words[-1])


def _sizes(context: Context, cursor: Cursor) -> Iterator[Choice]:
    """Every size; those that all regions of the pool have, and that Azure still sells, come first."""
    regions = regions_of(cursor.root, context)
    for sku in context.catalog.skus:
        sale = sale_of(context.catalog, sku, regions[0] if len(regions) == 1 else "")
        missing_regions = [region for region in regions if region not in sale.regions]
        price = sale.price if sale.price is not None else 10_000.0
        order = f"{_OUT_OF_REACH if missing_regions or sku.why_gone else ''}{price:010.3f}"
        detail = size_line(sku, sale)
        if missing_regions:
            detail += f", not known in {', '.join(missing_regions)}"
        yield Choice(sku.name, detail, CompletionItemKind.EnumMember, order=order, data=f"size {sku.name}")


def _regions(context: Context, _: Cursor) -> Iterator[Choice]:
    for name, row in context.catalog.rows("regions").items():
        yield Choice(name, row.get("displayName") or "", CompletionItemKind.EnumMember)


def _kubernetes(context: Context, cursor: Cursor) -> Iterator[Choice]:
    """The versions of Kubernetes that AKS has, newest first; quoted, so that YAML does not read numbers."""
    rows = context.catalog.rows("kubernetes")
    newest = sorted(rows, key=version, reverse=True)
    quoted = cursor.start > 0 and context.content[cursor.start - 1] in "\"'"
    for number, name in enumerate(newest):
        insert = name if quoted else f'"{name}"'
        yield Choice(name, f"in AKS: {rows[name]['aks']['status']}", insert=insert, order=f"{number:03}")


def _software(context: Context, cursor: Cursor) -> Iterator[Choice]:
    for name in sorted({*context.catalog.names("charts"), *context.catalog.names("containers")} - cursor.siblings):
        yield Choice(name, "a chart or image", CompletionItemKind.Module, f"{name}: ")


def _versions(context: Context, software: str) -> Iterator[Choice]:
    newest = list(context.catalog.versions(software))[::-1]
    for number, name in enumerate(newest):
        yield Choice(name, "newest in the catalog" if not number else "", order=f"{number:03}")


def _charts(context: Context, cursor: Cursor) -> Iterator[Choice]:
    names = (name for name in context.catalog.names("charts") if name not in cursor.siblings)
    yield from (Choice(name, "", CompletionItemKind.Module, f"{name}:") for name in names)


def _models(context: Context, _: Cursor) -> Iterator[Choice]:
    for gpu in context.catalog.gpus:
        yield Choice(gpu.model, f"{gpu.manufacturer}, {gpu.memory_gib:g} GiB", CompletionItemKind.EnumMember)


def _profiles(context: Context, cursor: Cursor) -> Iterator[Choice]:
    """The MIG profiles for which all GPUs of the pool have room next to those that are there."""
    gpus = gpus_of(cursor.root, context)
    layout = _layout(cursor)
    for name in gpus[0].mig or {} if gpus else {}:
        if name in layout or any(misfit(gpu, {**layout, name: 1}) for gpu in gpus):
            continue
        facts = (gpus[0].mig or {})[name]
        yield Choice(name, f"at most {facts['max']} per GPU", CompletionItemKind.EnumMember, f"{name}: ")


def _layout(cursor: Cursor) -> dict[str, int]:
    """The profiles that are written at the cursor, with their numbers."""
    node: Node | None = cursor.root
    for step in cursor.path:
        entries = node.entries if node else ()
        if isinstance(step, int):
            node = entries[step][1] if step < len(entries) else None
        else:
            node = node.get(step) if node else None
    written = ((key.text, value.text) for key, value in (node.entries if node else ()) if key)
    return {name: int(number) for name, number in written if name and number and number.isdecimal()}


def _profiles_of_pools(context: Context, cursor: Cursor) -> Iterator[Choice]:
    """The MIG profiles of the pools that a workload names, or of all pools."""
    named = cursor.root.get("spec", "pools")
    wanted = {value.text for _, value in named.entries} if named else set()
    found: dict[str, str] = {}
    for pool in context.inputs.pools if context.inputs else ():
        if pool.mig and (not wanted or pool.name in wanted):
            found.update((name, pool.name) for layout in pool.mig.layouts for name in layout)
    for name, owner in sorted(found.items()):
        yield Choice(name, f"on GpuPool {owner}", CompletionItemKind.EnumMember)


def _label_keys(context: Context, cursor: Cursor) -> Iterator[Choice]:
    keys = sorted({key for key, _ in _labels(context)} - cursor.siblings)
    yield from (Choice(key, "a label of clusters", CompletionItemKind.Property, f"{key}: ") for key in keys)


def _label_values(context: Context, key: str) -> Iterator[Choice]:
    values = sorted({value for other, value in _labels(context) if other == key})
    yield from (Choice(value, f"a value of {key}") for value in values)


def _labels(context: Context) -> Iterator[tuple[str, str]]:
    """The labels of all Cluster documents."""
    for content in context.files.texts.values():
        for part in parts(content) if API_VERSION in content else ():
            root = part.root
            labels = root.get("metadata", "labels") if root and root.text_at("kind") == "Cluster" else None
            for key, value in labels.entries if labels else ():
                if key and key.text and value.text:
                    yield key.text, value.text


def _codes(_: Context, __: Cursor) -> Iterator[Choice]:
    yield from codes()


_FLEET_KINDS = ("Fleet", "Cluster")
_VALUES: Mapping[tuple[tuple[str, ...], bool, tuple[str, ...]], Values] = {
    (("GpuPool",), False, ("spec", "sku")): _sizes,
    (("GpuPool",), False, ("set", "sku")): _sizes,
    (("GpuPool",), True, ("mig", "profiles")): _profiles,
    (("GpuPool", "GpuTeam"), False, ("gpu", "model")): _models,
    (("GpuTeam",), False, ("quota", "model")): _models,
    (("GpuWorkload",), False, ("spec", "mig")): _profiles_of_pools,
    (("GpuTeam",), False, ("quota", "mig")): _profiles_of_pools,
    (("Cluster",), False, ("spec", "region")): _regions,
    (("Cluster",), False, ("spec", "kubernetesVersion")): _kubernetes,
    (_FLEET_KINDS, True, ("stack", "versions")): _software,
    (_FLEET_KINDS, True, ("stack", "values")): _charts,
    (("Fleet", "GpuPool", "GpuWorkload", "GpuTeam"), True, ("matchLabels",)): _label_keys,
    (("Config",), False, ("select",)): _codes,
    (("Config",), False, ("ignore",)): _codes,
    (("Config",), False, ("allow", "code")): _codes,
}
