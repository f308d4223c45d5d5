"""Helm values files that do not name their chart: it is identified by keys that only one chart of the catalog has."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from gitgpu.inventory.documents import documents
from gitgpu.load.helm_values import Inside, Values, values_object
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog

# Keys of many charts that no other chart of the catalog has: alone, they identify none.
_COMMON = frozenset(
    """additionalAnnotations additionalLabels basicAuth certificates containerSecurityContext customAnnotations
    customLabels dnsConfig dnsPolicy enabled extraArguments extraVolumes hostPID http http_proxy https_proxy
    imageRegistry initContainers kubernetes listenPort log logLevel master metrics no_proxy nodeAffinity permissions
    platform podDnsConfig podDnsPolicy podIdentity podTemplateLabels ports profiling replicas revisionHistoryLimit
    roleName rollingUpdate rules selectorLabels serviceAccountName serviceAnnotations serviceLabels serviceMonitor
    serviceName startupProbe test updateStrategy upgradeStrategy volumeMounts worker""".split()  # noqa: SIM905  readable
)
_MAX_CHARACTERS = 200_000  # characters; longer texts are not read as values


def bare_values(texts: Iterable[Text], catalog: Catalog) -> list[Values]:
    """The values files among these texts: all their keys belong to one chart, and at least one to no other chart.

    If other charts usually have that key too, the path of the file must name the chart.
    """
    candidates = (_values(text, catalog) for text in texts)
    return [values for values in candidates if values]


def _values(text: Text, catalog: Catalog) -> Values | None:
    """The values in a text; None if it is something else, or if its keys do not identify one chart."""
    if len(text.content) > _MAX_CHARACTERS or text.content.lstrip()[:1] in ("{", "[") or "apiVersion" in text.content:
        return None  # output of a command, which need not be parsed twice
    read, faults = documents(text)
    data = read[0].data if len(read) == 1 and not faults else None
    if not isinstance(data, dict) or not data:
        return None
    tops = {chart: frozenset(row["keys"].get("", ())) for chart, row in catalog.rows("values").items()}
    owners = Counter(chain.from_iterable(tops.values()))
    charts = [chart for chart, keys in tops.items() if data.keys() <= keys]
    if len(charts) != 1:
        return None
    telling = {key for key in data if owners[key] == 1}
    if not telling or (telling <= _COMMON and charts[0] not in text.name):
        return None
    return Values(values_object(charts[0], data), Inside(read[0].places), text)
