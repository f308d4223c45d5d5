"""Which charts run on a cluster: from releases, and from objects whose labels name their chart."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach, text_at
from gitgpu.adopt.stack.policy_values import policy_values
from gitgpu.adopt.stack.values_elsewhere import with_all_values
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.names.kinds import HELM_RELEASE
from gitgpu.model.names.labels import CHART_LABEL
from gitgpu.objects.gitops.chart_values import OPERATOR, chart_row, policies, title
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.source import Pointer

RELEASE = "meta.helm.sh/release-name"
ADD_ONS = "aks-managed-"  # how the names of the releases of AKS's add-ons start
# The name may contain dashes, so the version begins at the first dash before digits and a dot.
_NAME = re.compile(r"(?P<chart>.+?)-(?P<version>v?\d+\.\d+.*)")


class InstalledChart(NamedTuple):
    """A chart of the catalog that runs: the name of its row, what shows it, and its release if that was read."""

    chart: str
    observed: Observed
    pointer: Pointer
    title: str
    release: Release | None = None


class InstalledRelease(NamedTuple):
    """An installed chart whose release was read, and the release."""

    chart: InstalledChart
    release: Release


def installed_charts(view: View, *charts: str) -> list[InstalledChart]:
    """The charts of these catalog rows that run; a release precedes the objects that it created."""
    all_installed = view.objects.once("installed charts", lambda: _installed(view))
    return [chart for chart in all_installed if chart.chart in charts]


def _installed(view: View) -> list[InstalledChart]:
    found = list(_releases(view))
    policy = next(_from_policies(view), None)
    if policy and not any(chart.chart == OPERATOR for chart in found):
        found.append(policy)
    elif policy:
        found = [_with_values_of(policy, chart) for chart in found]
    return [*found, *_from_objects(view)]


def _with_values_of(policy: InstalledChart, chart: InstalledChart) -> InstalledChart:
    """A GPU Operator with the values that it takes from elsewhere: the ClusterPolicy has all of them."""
    if chart.chart != OPERATOR or not chart.release or chart.release.whole or not policy.release:
        return chart
    values = merge_patch(policy.release.values, chart.release.values)
    return chart._replace(release=chart.release._replace(values=values, whole=True))


def installed_releases(view: View, *charts: str) -> Iterator[InstalledRelease]:
    """The charts of these catalog rows that run, if their release was read."""
    for chart in installed_charts(view, *charts):
        if chart.release:
            yield InstalledRelease(chart, chart.release)


def chart_of(observed: Observed) -> str:
    """The name of the chart that created an object; "" if its labels name none."""
    label = _chart_label(observed)
    return label["chart"] if label else ""


def version_of_chart(observed: Observed) -> str:
    """The version of the chart that created an object; "" if its labels name none."""
    label = _chart_label(observed)
    return label["version"].replace("_", "+") if label else ""  # a label cannot contain the plus sign of a version


def _chart_label(observed: Observed) -> re.Match[str] | None:
    labels = mapping_at(observed.body, "metadata", "labels")
    return _NAME.fullmatch(str(labels.get(CHART_LABEL, "")))


def _releases(view: View) -> Iterator[InstalledChart]:
    """The releases of charts that the catalog knows."""
    for release in releases(view.objects):
        row = chart_row(release, view.objects)
        if row:
            observed = view.original(release.item)
            name = title(release)
            chart_text = "" if name.endswith(f" {row['chart']}") else f" of the chart {row['chart']}"
            whole = with_all_values(release, view.objects)
            yield InstalledChart(row["name"], observed, _named_at(release), f"{name}{chart_text}", whole)


def _named_at(release: Release) -> Pointer:
    """Where a release names its chart: in a HelmRelease, in HelmValues, or in an Application of Argo CD."""
    if release.item.identity.kind == HELM_RELEASE.kind:
        return ("spec", "chart") if reach(release.item.body["spec"], "chart") else ("spec", "chartRef")
    # The values of HelmValues are at the top, those of an Application two levels below the chart: both end here.
    return (*release.pointer[:-2], "chart")


def _from_policies(view: View) -> Iterator[InstalledChart]:
    """The GPU Operator that each ClusterPolicy configures; it ignores all but one."""
    for policy in policies(view.objects):
        observed = view.original(policy.item)
        release = policy._replace(version=version_of_chart(observed))
        release = release._replace(values=policy_values(release, view.objects))
        label: Pointer = ("metadata", "labels", CHART_LABEL)
        yield InstalledChart(OPERATOR, observed, label, f"{observed.name} of the chart {OPERATOR}", release)


def _from_objects(view: View) -> Iterator[InstalledChart]:
    """Charts that are known only from the objects they install: one object for each chart."""
    rows = {row["chart"]: row for row in view.catalog.rows("charts").values()}
    found: set[str] = set()
    for observed in view.cluster.objects:
        chart = chart_of(observed)
        row = rows.get(chart)
        if row is None or row["name"] in found or by_aks(observed):
            continue
        if observed.body.get("kind") not in ("Deployment", "DaemonSet"):
            continue
        if row.get("project", "") not in _names(observed.body):  # a chart of other software with this name
            continue
        found.add(row["name"])
        yield InstalledChart(
            row["name"], observed, ("metadata", "labels", CHART_LABEL), f"{observed.name} of the chart {chart}"
        )


def _names(body: Mapping[str, Any]) -> str:
    """The name of a workload and its images, which tell whose software it is."""
    containers = list_at(body, "spec", "template", "spec", "containers")
    return " ".join([text_at(body, "metadata", "name"), *(text_at(each, "image") for each in containers)])


def workload(view: View, *names: str) -> Observed | None:
    """The first Deployment or DaemonSet that has one of these names; None if there is none."""
    for observed in view.cluster.objects:
        meta = mapping_at(observed.body, "metadata")
        if observed.body.get("kind") in ("Deployment", "DaemonSet") and meta.get("name") in names:
            return observed
    return None


def by_aks(observed: Observed) -> bool:
    """Whether an object is part of an add-on: AKS installs these in kube-system, as releases."""
    meta = mapping_at(observed.body, "metadata")
    release = str(mapping_at(meta, "annotations").get(RELEASE, ""))
    return release.startswith(ADD_ONS) or (meta.get("namespace") == "kube-system" and not release)
