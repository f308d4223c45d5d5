"""An API version that is deprecated."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.schema.served_versions import served_version_once
from gitgpu.rules.object_rule import Finding, Rule

_PLACE = ("apiVersion",)


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.items:
        api_version = str(item.body.get("apiVersion", ""))
        kind = (api_version, item.identity.kind)
        old = served_version_once(objects.run_cache, objects.catalog, objects.kubernetes, kind)
        if old and old.first:  # the name of a project is its key, but for capitals
            old = old.on(objects.versions(old.first.partition(" ")[0].lower()))
        if old and old.deprecated:
            # With another shape, the new version needs other fields too; an older controller does not have it.
            repair = Repair(Change.VALUE, _PLACE, old.use) if old.shape != "other" and not old.first else None
            message = old.message(api_version, item.identity.kind)
            yield Finding(item, _PLACE, message, old.remedy, repair=repair)


RULE = Rule(
    code="CNF017",
    name="deprecated-api-version",
    severity=Severity.WARNING,
    summary="An object uses a deprecated API version.",
    help="The object works until an upgrade of Kubernetes or of the controller removes the version.",
    sources=(
        "https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
        "https://github.com/fluxcd/helm-controller/blob/0f61a8607a62be64638f2f912d9487e653960a6e/CHANGELOG.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/config/components/crd/bases/kueue.x-k8s.io_clusterqueues.yaml",
    ),
    check=_check,
    fixable=True,
)
