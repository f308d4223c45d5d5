"""What is decided about Helm charts: which release of which chart, and what Prometheus Adapter is told."""

from typing import NamedTuple


class Chart(NamedTuple):
    """A pinned Helm chart. `oci` tells the kind of repository, `definitions` whether to install its crds folder."""

    release: str
    name: str
    repository: str
    oci: bool
    version: str
    namespace: str
    rows: tuple[str, ...]
    definitions: bool = True


class Kaito(NamedTuple):
    """KAITO's charts: KAITO, the engine for documents where one is asked for, and what scales by waiting requests."""

    workspace: Chart
    ragengine: Chart | None
    scaler: Chart | None


class AdapterRule(NamedTuple):
    """How Prometheus Adapter makes a metric of pods: the series it looks for, the metric's name, a template of PromQL.

    `<<.LabelMatchers>>` and `<<.GroupBy>>` are the adapter's own words.
    """

    series: str
    name: str
    query: str


class Adapter(NamedTuple):
    """Prometheus Adapter: its chart, the Prometheus that it asks, and what it makes of the answers."""

    chart: Chart
    server: str
    rules: tuple[AdapterRule, ...]
