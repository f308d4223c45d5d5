"""References to container images, with the grammar of github.com/distribution/reference, as the kubelet reads them."""

import re
from collections.abc import Iterable

# The patterns are texts: `re` compiles them only if there is an image.
MAX_NAME_LENGTH = 255  # of the repository, without the host
# A component of a path. Its words are separated by a dot, one or two underscores, or any number of dashes.
_PART = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_LABEL = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_NAME = rf"(?P<name>(?:{_HOST}/)?{_PART}(?:/{_PART})*)"
_REFERENCE = rf"(?a){_NAME}(?::\w[\w.-]{{0,127}})?(?:@(?P<digest>[^@]+))?\Z"
_DIGEST = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}\Z"
_LENGTHS = {"sha256": 64, "sha384": 96, "sha512": 128}  # hexadecimal digits


def image_fault(text: str) -> str:
    """Why a text is not a valid image reference; "" if it is."""
    if text != text.strip() or not text:
        return "it is empty" if not text.strip() else "it starts or ends with whitespace"
    if "://" in text:
        return f"it starts with {text.partition('://')[0]}://, but a reference has no scheme"
    match = re.match(_REFERENCE, text)
    if match is None:
        return _why(text)
    repository = len(split_host(match["name"])[1])
    if repository > MAX_NAME_LENGTH:
        return f"its repository has {repository} characters; at most {MAX_NAME_LENGTH} are allowed"
    return _digest_fault(match["digest"] or "")


def _digest_fault(digest: str) -> str:
    algorithm, _, hexadecimal = digest.partition(":")
    length = _LENGTHS.get(algorithm)
    if digest and not re.match(_DIGEST, digest):
        return f"'{digest}' is not a digest, such as sha256: and 64 hexadecimal digits"
    if length and (len(hexadecimal) != length or hexadecimal != hexadecimal.lower()):
        return f"a {algorithm} digest has {length} lowercase hexadecimal digits, but this one has {len(hexadecimal)}"
    return ""


def _why(text: str) -> str:
    name = text.partition("@")[0]
    # A colon before the last slash is the port of the host, not the start of a tag.
    path, _, tag = name.rpartition(":") if ":" in name.rpartition("/")[2] else (name, "", "")
    if re.search(r"\s", text):
        return "it contains whitespace"
    if len(tag) > 128:  # the limit of the OCI distribution specification
        return f"its tag has {len(tag)} characters; at most 128 are allowed"
    named = split_host(path)[1]
    if named != named.lower():
        return "the repository must be lowercase"
    return "it does not have the form [HOST[:PORT]/]PATH[:TAG][@DIGEST]"


def short_name(image: str) -> str:
    """The last part of an image's repository, without tag and digest, such as dcgm-exporter."""
    return image.partition("@")[0].rpartition("/")[2].partition(":")[0]


def part_name(image: str, names: Iterable[str]) -> str:
    """The name that the last part of an image is, or ends with if a mirror has joined it to its folders; "" for none.

    A mirror without folders has nvidia-k8s-device-plugin for nvidia/k8s-device-plugin.
    """
    short = short_name(image)
    joined = [name for name in names if "nvidia" in short and short.endswith((f"-{name}", f"_{name}"))]
    return short if short in names else next(iter(joined), "")


def split_host(name: str) -> tuple[str, str]:
    """The host or "", and the repository. A host has a dot, a port or an upper-case letter, or is localhost."""
    host, slash, rest = name.partition("/")
    # As in upstream's splitDockerDomain. Otherwise, the first part belongs to the path.
    is_host = slash and (re.search(r"[.:]", host) or host == "localhost" or host != host.lower())
    return (host, rest) if is_host else ("", name)
