"""Where a cluster gets images and charts, if not from where they are published."""

from typing import NamedTuple


class Registry(NamedTuple):
    """The user's own registry.

    `mirror` is what precedes the name of a copied image, "" if images are not copied; `public` are the hosts whose
    images are copied. `secret` is the pull secret, "" for the identity of the nodes. `charts` is the OCI URL before the
    name of a chart, "" if charts are not copied; `provider` is how Flux authenticates there, "" if it does not.
    """

    mirror: str = ""
    public: frozenset[str] = frozenset()
    secret: str = ""
    charts: str = ""
    provider: str = ""

    def copy_of(self, reference: str) -> str:
        """The copy of an image, for its reference or the start of it; unchanged if its host is not public.

        The host stays part of the name, so that images of two registries never get the same name.
        """
        public = bool(self.mirror) and reference.partition("/")[0] in self.public
        return f"{self.mirror}/{reference}" if public else reference

    def source_of(self, repository: str) -> str:
        """The repository whose copy this is; unchanged if it is not a copy."""
        rest = repository.removeprefix(f"{self.mirror}/")
        return rest if self.copy_of(rest) == repository else repository
