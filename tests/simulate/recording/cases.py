"""The cases of every shape, generated from one seed."""

from collections.abc import Callable, Iterator
from random import Random

from gitgpu.model.catalog import Catalog
from tests.simulate.recording.company import aliases, deployments, existing, preferences
from tests.simulate.recording.facts import REGIONS, unknown
from tests.simulate.recording.parts import Body, Draw
from tests.simulate.recording.shapes import (
    daemon_sets,
    host_ports,
    limits,
    minimum_values,
    narrowed,
    sold_in_part,
    taints,
)
from tests.simulate.recording.surroundings import (
    claims,
    gates,
    namespaces,
    rare_terms,
    removed,
    runtime_classes,
    volumes,
    whole_pods,
)

SEED, EACH = 20261122, 25
# Releases decide differently on `narrowed`; the other shapes have many kinds of objects.
MORE = {
    "claims": 30,
    "classes": 50,
    "gates": 50,
    "namespaces": 50,
    "narrowed": 75,
    "removed": 50,
    "terms": 75,
    "volumes": 75,
    "whole": 50,
}
ONLY = {"zones": "southcentralus"}  # a region where, by the catalog, some sizes are not available in every zone
SHAPES: dict[str, Callable[[Draw], Body]] = {
    "aliases": aliases,
    "claims": claims,
    "classes": runtime_classes,
    "daemonsets": daemon_sets,
    "deployments": deployments,
    "existing": existing,
    "gates": gates,
    "limits": limits,
    "minvalues": minimum_values,
    "namespaces": namespaces,
    "narrowed": narrowed,
    "ports": host_ports,
    "preferences": preferences,
    "removed": removed,
    "taints": taints,
    "terms": rare_terms,
    "volumes": volumes,
    "whole": whole_pods,
    "zones": sold_in_part,
}


def cases(shape: str, known: Catalog) -> Iterator[Body]:
    """The cases of a shape. They depend only on the seed and the catalog."""
    without = tuple(unknown(known))
    numbers = {name: known.must("regions", name)["zones"] for name in REGIONS}
    for at in range(MORE.get(shape, EACH)):
        random = Random(f"{SEED}-{shape}-{at}")
        region = ONLY.get(shape) or random.choice([name for name in REGIONS if numbers[name]])
        zones = tuple(f"{region}-{number}" for number in numbers[region])
        yield {"name": f"{shape}-{at:02}", "region": region, **SHAPES[shape](Draw(random, region, zones, without))}
