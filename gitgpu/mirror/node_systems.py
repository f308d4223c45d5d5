"""Tags as nodes pull them: operators append the operating system and the architecture of the node to some."""

from collections.abc import Callable, Iterator
from itertools import chain, product

from gitgpu.emit.chart.releases import releases
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import release
from gitgpu.model.syntax.reference import Reference
from gitgpu.plan.decided.cluster import ClusterPlan, PoolPlan


def node_tags(inputs: Inputs, plan: ClusterPlan) -> Callable[[Reference], Iterator[Reference]]:
    """Returns a function from an image to what nodes pull: one image for each kind of node if its tag is completed.

    If an object names an image of the catalog by digest only, its tag is from the catalog. A completed tag gets its
    digest from the catalog, if it is known.
    """
    suffixes, rows = dict(_suffixes(inputs, plan)), tuple(_container_rows(inputs.catalog))
    versions = {(row["repository"], row["digest"]): str(row["version"]) for row in rows}
    digests: dict[tuple[str, str], str] = {}
    for row in rows:
        digests |= {(row["repository"], tag): digest for tag, digest in row.get("digests", {}).items()}

    def tags(image: Reference) -> Iterator[Reference]:
        # A digest is one image on every node.
        if image.digest:
            yield image._replace(tag=image.tag or versions.get((image.repository, image.digest), ""))
            return
        for end in complete_tags(suffixes.get(image.repository, ""), inputs, plan):
            tag = f"{image.tag}{end}"
            yield image._replace(tag=tag, digest=digests.get((image.repository, tag), ""))

    return tags


def _container_rows(catalog: Catalog) -> Iterator[Facts]:
    """The facts of every version of every image of the catalog."""
    for name in catalog.rows("containers"):
        for version in catalog.versions(name).values():
            yield version.facts["containers"]


def complete_tags(suffix: str, inputs: Inputs, plan: ClusterPlan) -> list[str]:
    """The suffix of a tag for each kind of node that an NVIDIA operator manages; unchanged if there is none."""
    operator_pools = [pool for pool in plan.pools if pool.driver == "operator" or pool.pool.uses_network_operator]
    served_pools = [pool for pool in operator_pools if _is_nvidia(pool)]
    systems = sorted({_system(inputs, plan, pool) for pool in served_pools})
    skus = chain.from_iterable(pool.pool.skus for pool in served_pools)
    architectures = sorted({sku.arch for sku in skus if sku.arch})
    suffixes = [suffix.format(os=os, arch=arch) for os, arch in product(systems, architectures)]
    return list(dict.fromkeys(suffixes)) or [suffix]


def _is_nvidia(pool: PoolPlan) -> bool:
    return pool.pool.manufacturer == "nvidia"


def _system(inputs: Inputs, plan: ClusterPlan, pool: PoolPlan) -> str:
    """The operating system as /etc/os-release spells it, such as ubuntu24.04; {os} if it is not known."""
    row = release(pool.pool, plan.cluster.kubernetes, inputs.catalog)
    return str(row["os"]).lower().replace(" ", "") if row else "{os}"


def _suffixes(inputs: Inputs, plan: ClusterPlan) -> Iterator[tuple[str, str]]:
    for row in inputs.catalog.rows("containers").values():
        yield row["repository"], row.get("suffix", "")
    for planned in releases(plan):
        for image in planned.chart.images:
            yield image.name, image.suffix
