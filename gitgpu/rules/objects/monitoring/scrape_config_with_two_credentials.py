"""A ScrapeConfig with more than one kind of credentials."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCRAPE_CONFIG
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names

_KEYS = ("basicAuth", "authorization", "oauth2")


def _check(objects: Objects) -> Iterator[Finding]:
    patched = objects.patched_names(*SCRAPE_CONFIG)
    for item in (item for item in objects.of(*SCRAPE_CONFIG) if item.identity.name not in patched):
        keys = [key for key in _KEYS if key in mapping_at(item.body, "spec")]
        if len(keys) > 1:
            message = f"{join_names(keys)} are mutually exclusive"
            yield Finding(item, ("spec", keys[-1]), message, f"keep one of {join_names(keys)}", at_key=True)


RULE = Rule(
    code="MON101",
    name="scrape-config-with-two-credentials",
    severity=Severity.ERROR,
    summary="A ScrapeConfig has more than one of basicAuth, authorization and oauth2.",
    help="Each of them sets the header Authorization of the requests. The definition of ScrapeConfig allows one, so "
    "the API server rejects the object.",
    sources=(
        "https://github.com/prometheus-operator/prometheus-operator/blob/f8fafd475f3d132e239432ae6172de60a6cb6516/example/prometheus-operator-crd/monitoring.coreos.com_scrapeconfigs.yaml",
    ),
    rejects=True,
    check=_check,
)
