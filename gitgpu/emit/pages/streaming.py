"""What a registry needs before nodes can stream images from it, as commands of the Azure CLI."""

from collections.abc import Iterator

from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan


def write(plan: ClusterPlan) -> str:
    """A script for one repository and tag; "" if no pool streams."""
    pools = [pool.name for pool in plan.pools if pool.pool.image.get("artifactStreaming")]
    return "\n".join(_lines(pools)) + "\n" if pools else ""


def _lines(pools: list[str]) -> Iterator[str]:
    yield f"# Prepares an image for artifact streaming to the nodes of {', '.join(pools)}. Run it for each image:"
    yield f"#     REGISTRY=myregistry REPOSITORY=serving/chat TAG=v1 sh {PAGE.name}"
    yield "# Only pulls by tag are streamed, for linux/amd64, with the kubelet's own identity (no imagePullSecrets)."
    yield "set -eu"
    for name, what in (("REGISTRY", "registry"), ("REPOSITORY", "repository"), ("TAG", "tag of the image")):
        yield f': "${{{name}:?name the {what}}}"'
    yield "\n# Streaming needs a Premium registry without a customer-managed encryption key."
    yield 'sku=$(az acr show --name "$REGISTRY" --query sku.name --output tsv)'
    yield '[ "$sku" = Premium ] || { echo "$REGISTRY is $sku; to change it: az acr update --sku Premium" >&2; exit 1; }'
    yield "\n# Every image pushed to the repository from now on gets a streaming artifact."
    yield 'az acr artifact-streaming update --name "$REGISTRY" --repository "$REPOSITORY" --enable-streaming true'
    yield "\n# The existing image gets one now."
    yield 'az acr artifact-streaming create --name "$REGISTRY" --image "$REPOSITORY:$TAG"'
    yield "\n# The artifact is one of the referrers of the image."
    yield 'az acr manifest list-referrers --registry "$REGISTRY" --name "$REPOSITORY:$TAG"'


PAGE = Page("streaming.sh", write)
