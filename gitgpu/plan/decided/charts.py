"""What is decided about Helm charts: which release of which chart, and the configuration of Prometheus Adapter."""

from collections.abc import Mapping
from typing import NamedTuple


class ChartImage(NamedTuple):
    """An image that a chart can start: `name` is its registry and repository, `tag` is without the `suffix`.

    `registries` are the values, by dotted path, that hold the start of the reference, with the defaults of the chart;
    `named_at` is the path of the value with the rest of the name, `at` that of the value with the tag. `secrets` are
    the values for pull secrets and their form: names or objects. It runs where all values of `enabled`, with the
    defaults of the chart, are true; with `use`, only for objects of that kind.
    """

    name: str
    tag: str
    suffix: str
    digest: str
    registries: Mapping[str, str]
    named_at: str
    at: str
    secrets: Mapping[str, str]
    enabled: Mapping[str, bool]
    use: str


class Chart(NamedTuple):
    """A pinned Helm chart. `oci` is the kind of repository, `definitions` whether to install its crds folder.

    `absent` are the dotted paths of values that this version does not read.
    """

    release: str
    name: str
    repository: str
    oci: bool
    version: str
    namespace: str
    rows: tuple[str, ...]
    definitions: bool = True
    images: tuple[ChartImage, ...] = ()
    absent: tuple[str, ...] = ()


class Kaito(NamedTuple):
    """KAITO's charts: KAITO, the engine for documents if a workload needs it, and what scales by waiting requests."""

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
    """Prometheus Adapter: its chart, the Prometheus that it queries, and what it makes of the answers."""

    chart: Chart
    server: str
    rules: tuple[AdapterRule, ...]
