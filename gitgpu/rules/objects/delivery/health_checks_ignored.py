"""Health checks of a Flux Kustomization that waits for everything."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*FLUX_KUSTOMIZATION):
        if reach(item.body, "spec", "wait") is True and reach(item.body, "spec", "healthChecks"):
            message = "healthChecks are ignored because of wait: true, which checks only the applied objects"
            remedy = "remove healthChecks; or set wait: false if they refer to objects that a HelmRelease creates"
            yield Finding(item, ("spec", "healthChecks"), message, remedy, at_key=True)


RULE = Rule(
    code="GIT018",
    name="health-checks-ignored",
    severity=Severity.INFO,
    summary="A Flux Kustomization has both wait: true and healthChecks.",
    help="With wait, kustomize-controller checks every object that it applies and does not read healthChecks. It does "
    "not wait for objects that are listed only in healthChecks, such as those of a chart.",
    sources=(
        "https://github.com/fluxcd/kustomize-controller/issues/1407",
        "https://github.com/fluxcd/kustomize-controller/blob/186fb3b29138ce82ff61ba1a9370b96a3dd598fe/api/v1/kustomization_types.go",
    ),
    check=_check,
)
