"""A GPU Operator release that Flux rolls back if the nodes are not ready within five minutes."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import HELM_RELEASE
from gitgpu.objects.gitops.chart_values import OPERATOR
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_DEFAULT = "5m"  # Flux's default timeout


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects, OPERATOR):
        if release.item.identity.kind != HELM_RELEASE.kind:
            continue
        spec = mapping_at(release.item.body, "spec")
        upgrade = mapping_at(spec, "upgrade")
        remediation = mapping_at(upgrade, "remediation")
        retries = remediation.get("retries") or 0  # -1 is forever
        has_time = spec.get("timeout") or upgrade.get("timeout") or upgrade.get("disableWait") is True
        if retries != 0 and remediation.get("strategy") != "uninstall" and not has_time:
            message = (
                f"Flux rolls the release back if an upgrade is not ready within {_DEFAULT}, its default timeout; the "
                "operator replaces its DaemonSets node by node, which takes longer"
            )
            place = ("spec", "upgrade", "remediation", "retries")
            yield Finding(release.item, place, message, "set timeout: 20m or more")


RULE = Rule(
    code="GIT019",
    name="upgrade-rolled-back-early",
    severity=Severity.INFO,
    summary="A HelmRelease of the GPU Operator has retries for upgrades and the default timeout of five minutes.",
    help="The ClusterPolicy of the chart is ready when the pods of all its DaemonSets are. An upgrade that "
    "takes longer than the timeout counts as failed, and remediation rolls back a stack that is updated on "
    "some nodes only.",
    sources=(
        "https://github.com/fluxcd/helm-controller/blob/0f61a8607a62be64638f2f912d9487e653960a6e/docs/spec/v2/helmreleases.md",
        "https://github.com/nicolerenee/infra/pull/2392",
    ),
    check=_check,
)
