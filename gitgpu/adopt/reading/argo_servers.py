"""The Argo CD clusters: an Application can name a cluster by its server URL, and a Secret has its name."""

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from gitgpu.access import text_at
from gitgpu.model.names.kinds import SECRET, group_kind
from gitgpu.objects.manifest.manifests import Manifests


def names_of_servers(manifests: Manifests) -> dict[str, str]:
    """The names of clusters by the URL of their API server, from Argo CD's Secrets; nothing else of these is read."""
    names: dict[str, str] = {}
    for file in manifests.files.values():
        for loaded in file.objects:
            kind = text_at(loaded.body, "metadata", "labels", "argocd.argoproj.io/secret-type")
            if group_kind(loaded.body) == SECRET and kind == "cluster":
                server, name = (_text(loaded.body, key) for key in ("server", "name"))
                names |= {server.rstrip("/"): name} if server and name else {}
    return names


def _text(secret: Mapping[str, Any], key: str) -> str:
    """A value of a Secret, from `stringData` or decoded from `data`; "" if it cannot be decoded."""
    try:
        return text_at(secret, "stringData", key) or b64decode(text_at(secret, "data", key), validate=True).decode()
    except ValueError:
        return ""
