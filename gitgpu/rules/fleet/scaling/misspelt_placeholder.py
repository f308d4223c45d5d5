"""A placeholder that gitgpu does not fill, because its name is misspelt."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.model.value_origins import stack_place
from gitgpu.plan.placeholders import PLACEHOLDERS
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_asking_prometheus, queries, signals
from gitgpu.spelling import nearest

# A name alone in single braces. Templates have two braces or a dollar.
_PLACEHOLDER = re.compile(r"(?<![{$])\{([A-Za-z_-]+)\}(?!\})")
_ROUTE = re.compile(r"/\{[A-Za-z_-]+\}|\{[A-Za-z_-]+\}/")  # of an API, as labels of its metrics have it
_CUTOFF = 0.84  # clustr and nam are similar enough to a placeholder, customer and same are not


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Of a query, only the values of matchers are read: every other brace belongs to PromQL."""
    for workload, query, place in queries(inputs):
        matchers = chain.from_iterable(selector.matchers for selector in selectors(read_query(query)))
        for message, remedy in _misspelt(_ROUTE.sub("/", matcher.value) for matcher in matchers):
            yield Finding(workload.origin, place, message, remedy)
    for workload, _, signal in signals(inputs):
        for key, text in signal.settings.items() if signal.in_azure else ():
            for message, remedy in _misspelt([text] if isinstance(text, str) else ()):
                yield Finding(workload.origin, (*signal.place, signal.metric, key), message, remedy)
    for cluster in inputs.clusters_named(clusters_asking_prometheus(inputs)):
        for message, remedy in _misspelt([cluster.stack.metrics.server or ""]):
            yield Finding(*stack_place(cluster, "metrics", "server"), message, remedy)


def _misspelt(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """A message and a remedy for each name that is similar to a placeholder, but none."""
    for word in dict.fromkeys(chain.from_iterable(map(_PLACEHOLDER.findall, texts))):
        known = _meant(word)
        if known and word != known:
            yield f"{{{word}}} is not a placeholder, so it stays as it is", f"spell it {{{known}}}"


def _meant(word: str) -> str:
    """The placeholder that a name stands for, such as cluster_name or nmae; "" if it is similar to none."""
    letters = re.sub("[-_]", "", word).lower()
    longer = (known for known in PLACEHOLDERS if letters.startswith(known) or sorted(letters) == sorted(known))
    return next(longer, "") or nearest(letters, PLACEHOLDERS, _CUTOFF)


RULE = Rule(
    code="SCL079",
    name="misspelt-placeholder",
    severity=Severity.WARNING,
    summary="A trigger or the address of the metrics server has a name in braces that is almost a placeholder.",
    help="gitgpu fills {cluster}, {namespace} and {name}, spelt exactly so. Other names stay: KEDA then asks "
    "for a cluster that does not exist, gets no data, and never scales.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    check=_check,
)
