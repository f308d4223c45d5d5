"""A password in the URL of a repository."""

import re
from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import FLUX_SOURCE_GROUP
from gitgpu.model.names.kinds import GIT_REPOSITORY, HELM_REPOSITORY
from gitgpu.objects.delivery.application_sources import placed_sources, spec_place
from gitgpu.objects.gitops.applications import applications
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_PASSWORD = re.compile(r"[a-z][a-z0-9+.-]*://[^/@:\s]*:[^/@\s${<]+@", re.IGNORECASE)


def _check(objects: Objects) -> Iterator[Finding]:
    """The message does not repeat the password."""
    message = "the URL contains a password, which everyone who reads the repository knows"
    for kind in (GIT_REPOSITORY.kind, HELM_REPOSITORY.kind):
        for item in objects.of(FLUX_SOURCE_GROUP, kind):
            if _PASSWORD.match(str(reach(item.body, "spec", "url"))):
                remedy = "remove it from the URL, change the password, and name a Secret in secretRef"
                yield Finding(item, ("spec", "url"), message, remedy)
    for item, spec in applications(objects):
        for at, source in placed_sources(spec):
            if _PASSWORD.match(str(source.get("repoURL"))):
                remedy = "remove it from the URL, change the password, and give Argo CD the repository in a Secret"
                yield Finding(item, (*spec_place(item.body), *at, "repoURL"), message, remedy)


RULE = Rule(
    code="GIT024",
    name="password-in-url",
    twin="DLV005",
    severity=Severity.ERROR,
    summary="The URL of a repository contains a password.",
    help="Everyone who can read the repository, or the object in the cluster, knows it. Flux and Argo CD read "
    "credentials from Secrets.",
    sources=(
        "https://fluxcd.io/flux/components/source/gitrepositories/#secret-reference",
        "https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#repositories",
    ),
    check=_check,
)
