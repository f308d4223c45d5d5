"""A HelmRepository with the wrong type."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import HELM_REPOSITORY
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_OCI = "oci"


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*HELM_REPOSITORY):
        url, kind = reach(item.body, "spec", "url") or "", reach(item.body, "spec", "type")
        if not url or url.startswith(f"{_OCI}://") == (kind == _OCI):
            continue
        if kind == _OCI:
            message = f"the repository has type oci, but {url} is not an oci:// address"
            yield Finding(item, ("spec", "url"), message, "use an oci:// address, or remove the type")
            continue
        if kind:
            repair = Repair(Change.VALUE, ("spec", "type"), _OCI)
        else:
            repair = Repair(Change.ADD, ("spec",), _OCI, key="type")
        message = f"{url} is a registry, but the repository does not have type oci"
        yield Finding(item, ("spec", "url"), message, "set type: oci, or use an OCIRepository", repair=repair)


RULE = Rule(
    code="GIT007",
    name="helm-repository-type-does-not-fit-url",
    severity=Severity.ERROR,
    summary="A HelmRepository has an oci:// address without type oci, or the reverse.",
    help="Without type oci, Flux looks for a chart index; with it, for a registry. In both cases it finds nothing at "
    "this address.",
    sources=(
        "https://github.com/fluxcd/source-controller/blob/39b711b111fa906c3db0a424e252a5d12e48646d/docs/spec/v1/helmrepositories.md",
        "https://github.com/fluxcd/source-controller/blob/39b711b111fa906c3db0a424e252a5d12e48646d/internal/controller/helmchart_controller.go",
    ),
    check=_check,
    fixable=True,
)
