"""A DaemonSet for GPU nodes whose image has no fixed version."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule

_FILLED_LATER = " $<{"  # signs of a placeholder, which is not an image name
_PLUGINS = "/var/lib/kubelet/device-plugins"


def _check(objects: Objects) -> Iterator[Finding]:
    repositories = {row["repository"] for row in objects.catalog.rows("containers").values()}
    for pod in pods(objects):
        for place, container in pod.containers():
            image = container.get("image") or ""
            name, tag = _name_and_tag(image)
            written = image and not any(sign in image for sign in _FILLED_LATER)
            if pod.is_daemon and written and tag in ("", "latest") and (name in repositories or _serves_devices(pod)):
                message = f"the image {image} has {'the tag latest' if tag else 'no tag'}"
                yield Finding(pod.item, (*place, "image"), message, "use the tag of an exact version, or a digest")


def _serves_devices(pod: Pod) -> bool:
    paths = (str(reach(volume, "hostPath", "path") or "") for volume in pod.spec.get("volumes") or ())
    return any(path.rstrip("/") == _PLUGINS for path in paths) or any(True for _ in pod.devices())


def _name_and_tag(image: str) -> tuple[str, str]:
    """The name and the tag of an image; a digest counts as a tag."""
    if "@" in image:
        return image.partition("@")[0], image.partition("@")[2]
    start, slash, end = image.rpartition("/")
    name, _, tag = end.partition(":")
    return f"{start}{slash}{name}", tag


RULE = Rule(
    code="GIT012",
    name="unpinned-daemon-image",
    severity=Severity.WARNING,
    summary="A DaemonSet that serves the GPUs of nodes uses an image without a tag, or with the tag latest.",
    help="Nodes that join later can run a different version from existing nodes, with the same GPU driver.",
    sources=(
        "https://kubernetes.io/docs/concepts/containers/images/#image-names",
        "https://learn.microsoft.com/azure/aks/best-practices-gpu",
    ),
    check=_check,
)
