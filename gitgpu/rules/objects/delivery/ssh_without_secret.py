"""A GitRepository over SSH without a key."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import GIT_REPOSITORY
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    patched = objects.patched_names(*GIT_REPOSITORY)
    for item in objects.of(*GIT_REPOSITORY):
        url = str(reach(item.body, "spec", "url") or "")
        if url.startswith("ssh://") and not reach(item.body, "spec", "secretRef") and item.identity.name not in patched:
            message = "Flux needs a key to read a repository over SSH, and spec.secretRef is not set"
            remedy = "set secretRef to a Secret with identity and known_hosts, or use https:// for a public repository"
            yield Finding(item, ("spec", "url"), message, remedy)


RULE = Rule(
    code="GIT022",
    name="ssh-without-secret",
    twin="DLV003",
    severity=Severity.ERROR,
    summary="A GitRepository reads a repository over SSH without a Secret.",
    help="Without identity and known_hosts the GitRepository never becomes ready, and nothing below it is applied.",
    sources=(
        "https://github.com/fluxcd/source-controller/blob/118a10ef61efdca30947d3e5fb757e41f6516f7b/docs/spec/v1/gitrepositories.md",
    ),
    check=_check,
)
