"""How charts are installed by what a fleet builds, for the upgrades that depend on it."""

from functools import cache

from gitgpu.emit.chart.releases import releases
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.outdated import Installed
from gitgpu.model.software.transitions import Form, Installation
from gitgpu.plan.cluster_plan import plan


def installations(inputs: Inputs) -> Installed:
    """The installation of a chart with the values that a cluster gives it. A cluster is planned if that matters."""

    @cache
    def charts(name: str) -> dict[str, Installation]:
        (cluster,) = inputs.clusters_named((name,))
        made = releases(plan(inputs, cluster))
        return {release.chart.release: Installation(Form.CHART, release.values) for release in made}

    def installed(cluster: Cluster, software: str) -> Installation | None:
        row = inputs.catalog.facts("transitions", software)
        steps = row["steps"] if row else ()
        return charts(cluster.name).get(software) if any("cases" in step for step in steps) else None

    return installed
