"""Where a cluster gets images and charts, if not from where they are published."""

from typing import NamedTuple

WHOLE_NAME = "{registry}/{repository}"  # the default name of a copy below the mirror
_PATH, _TAG, _HOST = "{repository}", ":{tag}", "{registry}"


class Registry(NamedTuple):
    """The user's own registry.

    `mirror` is what precedes the name of a copied image, "" if images are not copied; `public` are the hosts whose
    images are copied. `secret` is the pull secret, "" for the identity of the nodes. `charts` is the OCI URL before the
    name of a chart, "" if charts are not copied; `provider` is how Flux authenticates there, "" if it does not. `name`
    is the template of a copy's name below the mirror; it ends with the path of the image.
    """

    mirror: str = ""
    public: frozenset[str] = frozenset()
    secret: str = ""
    charts: str = ""
    provider: str = ""
    name: str = WHOLE_NAME

    def copy_of(self, reference: str) -> str:
        """The copy of an image, for its reference or the start of it; unchanged if its host is not public."""
        host, _, path = reference.partition("/")
        if not self.mirror or host not in self.public:
            return reference
        return "/".join(part for part in (self._start(host), path) if part)

    def source_of(self, repository: str) -> str:
        """The repository whose copy this is; unchanged if it is not a copy, or if its name does not say of what."""
        starts = {host: f"{self._start(host)}/" for host in sorted(self.public)} if self.mirror else {}
        sources = [
            f"{host}/{repository.removeprefix(start)}" for host, start in starts.items() if repository.startswith(start)
        ]
        return sources[0] if len(sources) == 1 else repository

    def _start(self, host: str) -> str:
        """What precedes the path of an image of a host in the name of its copy."""
        folder = self.name.removesuffix(_TAG).removesuffix(_PATH).replace(_HOST, host)
        return f"{self.mirror}/{folder}".rstrip("/")
