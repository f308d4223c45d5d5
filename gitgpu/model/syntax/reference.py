"""References to container images, in parts."""

from typing import NamedTuple

from gitgpu.model.syntax.image import split_host

DOCKER_HUB = "docker.io"  # its images without a namespace are in "library"


class Reference(NamedTuple):
    """An image: its registry and repository, and its tag and digest or ""."""

    repository: str
    tag: str = ""
    digest: str = ""

    @property
    def text(self) -> str:
        """The reference for Kubernetes."""
        tag = f":{self.tag}" if self.tag else ""
        digest = f"@{self.digest}" if self.digest else ""
        return f"{self.repository}{tag}{digest}"

    @property
    def source(self) -> str:
        """The reference for copy tools, which accept either the digest or, without one, the tag."""
        return (self._replace(tag="") if self.digest else self).text


def reference(text: str) -> Reference:
    """The parts of a valid reference. The default registry is Docker Hub, and the default tag is latest."""
    name, _, digest = text.partition("@")
    path, colon, tag = name.rpartition(":")
    if not colon or "/" in tag:  # the colon of a registry's port
        path, tag = name, ""
    host, rest = split_host(path)
    repository = rest if "/" in rest or host not in ("", DOCKER_HUB) else f"library/{rest}"
    return Reference(f"{host or DOCKER_HUB}/{repository}", tag or ("" if digest else "latest"), digest)
