"""The cluster of a fleet that a dump is of."""

from collections.abc import Callable, Sequence

import click

from gitgpu.cli.fleets.findings import validate_fleet
from gitgpu.cli.output.refusal import UnreadableError
from gitgpu.cli.settings import fleet_settings
from gitgpu.diagnose.of_fleet import Fleet, fleet_of
from gitgpu.diagnostic import errors
from gitgpu.inventory.observed import Azure
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.runs.fleet_objects import fleet_objects
from gitgpu.spelling import join_names, nearest


def fleet_finder(paths: Sequence[str], name: str) -> Callable[[Azure], Fleet]:
    """Finds the objects of the named cluster, or of the one that az describes.

    Raises UnreadableError for a fleet with errors.
    """
    settings = fleet_settings(paths)
    checked = validate_fleet(settings)
    inputs, faults = checked.inputs, errors((*settings.faults, *checked.diagnostics))
    if inputs is None or faults:
        raise UnreadableError("the fleet has errors", faults)
    if name:
        cluster = _named(inputs, name)
        return lambda _: fleet_of(fleet_objects(inputs, cluster))
    return lambda azure: fleet_of(fleet_objects(inputs, _described(inputs, azure)))


def _named(inputs: Inputs, name: str) -> Cluster:
    """The cluster with this name. Raises click.BadParameter."""
    names = [cluster.name for cluster in inputs.clusters]
    if name not in names:
        meant = nearest(name, names)
        hint = f"; did you mean {meant}?" if meant else f"; use one of {join_names(names)}"
        raise click.BadParameter(f"'{name}' is not a cluster of the fleet{hint}", param_hint="--cluster")
    return next(cluster for cluster in inputs.clusters if cluster.name == name)


def _described(inputs: Inputs, azure: Azure) -> Cluster:
    """The cluster that az describes, or the only one. Raises click.UsageError."""
    described = (azure.resource_id or "").casefold()  # Azure's names ignore the case
    for cluster in inputs.clusters:
        if described and (cluster.resource_id or "").casefold() == described:
            return cluster
    if len(inputs.clusters) == 1:
        return inputs.clusters[0]
    names = join_names([cluster.name for cluster in inputs.clusters])
    raise click.UsageError(
        f"the fleet has several clusters, and nothing says which the dump is of: use --cluster with {names}"
    )
