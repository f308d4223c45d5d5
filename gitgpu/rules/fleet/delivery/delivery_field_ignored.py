"""A field of delivery that the chosen engine ignores."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

# for each engine: the field that it ignores, and the remedy
IGNORES: Mapping[str, tuple[str, str]] = {
    "argocd": ("secret", "remove secret, and give Argo CD the credentials of the repository in its own Secret"),
    "flux": ("destination", "remove destination: Flux applies to the cluster that it runs in"),
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Fields that are set where no engine in use reads them."""
    for engine, (field, remedy) in IGNORES.items():
        where: Pointer = ("spec", "delivery", field)
        users = [cluster for cluster in inputs.clusters if cluster.delivery.engine == engine]
        origins = [cluster.origin for cluster in users]
        # One cluster with the other engine reads the field of the Fleet.
        if users and len(users) == len(inputs.clusters):
            origins.insert(0, inputs.fleet.origin)
        for origin in origins:
            if is_written(origin, where):
                yield Finding(origin, where, f"{engine} ignores delivery.{field}", remedy)


RULE = Rule(
    code="DLV001",
    name="delivery-field-ignored",
    severity=Severity.WARNING,
    summary="A field of delivery is set that the chosen engine does not use.",
    help="secret is a field of Flux's GitRepository; Argo CD keeps credentials in its own Secrets. destination names "
    "a cluster that Argo CD knows; Flux runs in the cluster that it applies to.",
    sources=(
        "https://github.com/fluxcd/source-controller/blob/118a10ef61efdca30947d3e5fb757e41f6516f7b/docs/spec/v1/gitrepositories.md",
        "https://github.com/argoproj/argo-cd/blob/f8f448b1a8a3df161cdc37f4ae1b6dc73b2b7280/docs/operator-manual/declarative-setup.md",
    ),
    check=_check,
)
