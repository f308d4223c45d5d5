"""What hovering shows: keys as `explain` does, sizes as `sku show`, codes as `rule show`, and what pools cost."""

import re
from collections.abc import Iterator

from lsprotocol.types import Hover

from gitgpu.compare import AtLimits
from gitgpu.editor.context import CONFIG, Context, code_block, field, kind_field, markdown
from gitgpu.editor.documentation import code_page, size_page
from gitgpu.editor.names import Name, name_at
from gitgpu.editor.pool_limits import at_limits
from gitgpu.editor.yaml_tree import part_at, spot
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.report.markdown_text import cell
from gitgpu.report.price_dates import price_date_note
from gitgpu.report.reference.field import explain
from gitgpu.simulate.forecast import HOURS
from gitgpu.spelling import MAX_LISTED, comma_separated, count_text

_CODE = re.compile(r"\b[A-Z]{3}[0-9]{3}\b")


def hover(context: Context, index: int) -> Hover | None:
    """What is known about the word at an index."""
    content, positions = context.content, context.files.positions(context.file)
    line_start = content.rfind("\n", 0, index) + 1
    line = content[line_start:].partition("\n")[0]
    for code in _CODE.finditer(line) if "gitgpu:" in line or context.kind == CONFIG else ():
        start, end = line_start + code.start(), line_start + code.end()
        if start <= index <= end and (text := code_page(code[0])):
            return Hover(markdown(text), positions.range(start, end))
    part = part_at(content, index)
    found = spot(part.root, index - part.start) if part.root else None
    if part.root is None or found is None or found.node.entries:
        return None
    shown = positions.range(found.node.start + part.start, found.node.end + part.start)
    name = name_at(context.file, content, index)
    kind = context.kind or part.root.text_at("kind")
    sku = None if found.at_key else context.catalog.sku(found.node.text or "")
    text = ""
    if name:
        text = _document(name, context)
    elif sku and (kind == "GpuPool" or sku.name == found.node.text):
        text = size_page(context.catalog, sku)
    if not text and (here := field(context.whole or kind_field(kind), found.path)):
        text = code_block(explain(here.name, here.facts()))
    return Hover(markdown(text), shown) if text else None


def _document(name: Name, context: Context) -> str:
    """A cluster, pool, workload or team in Markdown; "" if the fleet cannot be linked."""
    inputs = context.inputs
    if inputs is None:
        return ""
    title = f"**{name.kind} {cell(name.name)}**"
    if name.kind == "GpuPool":
        lines = list(_pool_lines([pool for pool in inputs.pools if pool.name == name.name], context))
        return "\n\n".join([title, *lines]) if lines else ""
    if name.kind == "Cluster":
        clusters = inputs.clusters_named([name.name])
        return "\n\n".join([title, *(_cluster_line(cluster, inputs.pools_on(cluster)) for cluster in clusters)])
    if name.kind == "GpuTeam":
        teams = [team for team in inputs.teams if team.name == name.name]
        spaces = sorted({cell(space) for team in teams for space in team.namespaces})
        return f"{title}\n\nnamespaces: {comma_separated(spaces, MAX_LISTED)}"
    return ""


def _pool_lines(pools: list[Pool], context: Context) -> Iterator[str]:
    """The sizes of a pool, and what it costs at its limits on each cluster."""
    inputs = context.inputs
    for pool in pools if inputs else ():
        sizes = comma_separated([sku.name for sku in pool.skus], MAX_LISTED) or "no size"
        yield f"{sizes}, {pool.provisioner}"
        clusters = inputs.clusters_named(pool.clusters) if inputs else ()
        rows = [
            f"- {cell(each.name)}: {limits_text(at_limits(pool, each.region, context.catalog))}" for each in clusters
        ]
        yield "\n".join(["At its limits:\n", *rows])


def limits_text(limits: AtLimits) -> str:
    """What a pool has and costs at its limits."""
    if limits.nodes is None:
        return "no limit on its nodes"
    gpus = "an unknown number of GPUs" if limits.gpus is None else count_text(limits.gpus, "GPU")
    price = "price unknown"
    if limits.price is not None:
        month = limits.price * HOURS
        price = f"${limits.price:,.2f} an hour, ${month:,.0f} a month on demand{price_date_note([limits.date])}"
    return f"{count_text(limits.nodes, 'node')}, {gpus}, {price}"


def _cluster_line(cluster: Cluster, pools: tuple[Pool, ...]) -> str:
    names = comma_separated([cell(pool.name) for pool in pools], MAX_LISTED) or "none"
    about = f"{cell(cluster.region)}, Kubernetes {cell(cluster.kubernetes)}"
    return f"{about}, {count_text(len(pools), 'pool')}: {names}"
