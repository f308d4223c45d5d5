"""The URL of a Git repository."""


def address(url: str) -> str:
    """The URL of a repository in one spelling, so that two URLs of one repository compare equal."""
    rest = url.partition("://")[2] or url.replace(":", "/", 1)
    return rest.rpartition("@")[2].removesuffix(".git").strip("/").lower()
