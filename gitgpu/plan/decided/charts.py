"""Decisions about Helm charts: the release of each chart, and the configuration of Prometheus Adapter."""

from collections.abc import Mapping
from typing import NamedTuple


class ChartImage(NamedTuple):
    """An image that a chart can run: `name` is its registry and repository, `tag` is without the `suffix`.

    `registries` are the values, by dotted path, with the start of the reference, and their defaults in the chart;
    `named_at` is the path of the value with the rest of the name, `at` that of the value with the tag. `secrets` are
    the values for pull secrets and their form: names or objects. The image runs if all values of `enabled`, which have
    the defaults of the chart, are true; with `use`, only for objects of that kind.
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

    `absent` are the dotted paths of values that this version does not read. `shared` are custom resource definitions
    that it installs although the software of another chart reads the objects, with the name of that chart.
    `helm_release` is the name of its release of Helm.
    """

    release: str
    name: str
    repository: str
    oci: bool
    version: str
    namespace: str
    rows: tuple[str, ...]
    helm_release: str
    definitions: bool = True
    shared: Mapping[str, str] = {}
    images: tuple[ChartImage, ...] = ()
    absent: tuple[str, ...] = ()


class Kaito(NamedTuple):
    """KAITO's charts: KAITO, the RAG engine if a workload needs it, and the scaler by waiting requests."""

    workspace: Chart
    ragengine: Chart | None
    scaler: Chart | None


class AdapterRule(NamedTuple):
    """How Prometheus Adapter computes a metric of pods: the series, the metric's name, and a template of PromQL.

    The adapter replaces `<<.LabelMatchers>>` and `<<.GroupBy>>`.
    """

    series: str
    name: str
    query: str


class Adapter(NamedTuple):
    """Prometheus Adapter: its chart, the Prometheus that it queries, and the rules for its metrics."""

    chart: Chart
    server: str
    rules: tuple[AdapterRule, ...]
