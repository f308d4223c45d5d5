"""Where a cluster gets images and charts, where that is not where their makers publish them."""

from typing import NamedTuple


class Registry(NamedTuple):
    """A registry of the user's own.

    `mirror` is what precedes the name of a copied image, "" where images are not copied; `public` are the hosts whose
    images are. `secret` is the pull secret, "" for the identity of the nodes. `charts` is the OCI URL before the name
    of a chart, "" where charts are not copied; `provider` is how Flux signs in there, "" for not at all.
    """

    mirror: str = ""
    public: frozenset[str] = frozenset()
    secret: str = ""
    charts: str = ""
    provider: str = ""

    def copy_of(self, reference: str) -> str:
        """The copy of an image, given its reference or the start of it; unchanged if its host is not public.

        The host stays part of the name, so that images of two registries never get the same.
        """
        public = bool(self.mirror) and reference.partition("/")[0] in self.public
        return f"{self.mirror}/{reference}" if public else reference

    def source_of(self, repository: str) -> str:
        """The repository whose copy this is; unchanged if it is no copy."""
        rest = repository.removeprefix(f"{self.mirror}/")
        return rest if self.copy_of(rest) == repository else repository
