"""The Kubernetes API over plain HTTP: the few requests that the tests make, and the warnings of the server."""

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Object = dict[str, Any]
MANAGER = "gitgpu-e2e"
APPLY, MERGE = "application/apply-patch+yaml", "application/merge-patch+json"
TOO_EARLY, PATIENCE = 429, 60  # a status code of HTTP; how many seconds it is waited out
WARNING = re.compile(r'\d{3} \S+ "((?:[^"\\]|\\.)*)"')


class RefusedError(Exception):
    """The API server rejected a request: the HTTP status code, and the reason."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


class Answer(NamedTuple):
    """The result of a request: the object, and the warnings of the API server."""

    body: Object
    warnings: tuple[str, ...] = ()


class Resource(NamedTuple):
    """Where a kind is served: the path of its group version, its name in paths, and whether it has namespaces."""

    prefix: str
    plural: str
    namespaced: bool


class Client:
    """The API server at a URL without authentication, as opened by `kubectl proxy`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.resources: dict[tuple[str, str], Resource] = {}

    def request(self, method: str, path: str, body: Any = None, content: str = "application/json") -> Answer:
        """A request, with `body` as JSON; RefusedError when the API server answers with a fault.

        For some seconds after a definition is installed the API server says about its kind that it is too early.
        """
        data = None if body is None else json.dumps(body).encode()
        for _ in range(PATIENCE):
            try:
                return self.once(method, path, data, content)
            except RefusedError as error:
                if error.code != TOO_EARLY:
                    raise
                time.sleep(1)
        return self.once(method, path, data, content)

    def once(self, method: str, path: str, data: bytes | None, content: str) -> Answer:
        """One request, without a second try."""
        request = urllib.request.Request(self.url + path, data, {"Content-Type": content}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                warnings = tuple(WARNING.findall("\n".join(response.headers.get_all("Warning") or ())))
                return Answer(json.load(response), warnings)
        except urllib.error.HTTPError as error:
            with error:
                raise RefusedError(error.code, reason(error.read())) from None

    def resource(self, api_version: str, kind: str) -> Resource:
        """Where a kind is served; KeyError when it is not."""
        if (api_version, kind) not in self.resources:
            prefix = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
            try:
                served = self.request("GET", prefix).body["resources"]
            except RefusedError as error:
                raise KeyError(f"{api_version} {kind}: {error}") from error
            for entry in served:
                if "/" not in entry["name"]:
                    self.resources[api_version, entry["kind"]] = Resource(prefix, entry["name"], entry["namespaced"])
        return self.resources[api_version, kind]

    def path(self, body: Object, part: str = "") -> str:
        """The path of an object, or of a part of it such as `/status`."""
        name = body["metadata"].get("name", "")
        folder = self.folder(body["apiVersion"], body["kind"], body["metadata"].get("namespace"))
        return f"{folder}/{urllib.parse.quote(name)}{part}" if name else folder

    def folder(self, api_version: str, kind: str, namespace: str | None = None) -> str:
        """The path of the objects of a kind: of one namespace, or of all."""
        prefix, plural, namespaced = self.resource(api_version, kind)
        return f"{prefix}/namespaces/{namespace}/{plural}" if namespaced and namespace else f"{prefix}/{plural}"

    def apply(self, wanted: Object, *, manager: str = MANAGER, dry_run: bool = False) -> Answer:
        """Server-side apply with strict field validation, which creates or updates the object."""
        options = {"fieldManager": manager, "force": "true", "fieldValidation": "Strict"}
        query = urllib.parse.urlencode(options | ({"dryRun": "All"} if dry_run else {}))
        return self.request("PATCH", f"{self.path(wanted)}?{query}", wanted, APPLY)

    def create(self, wanted: Object, *, dry_run: bool = False) -> Answer:
        """A new object, with strict field validation."""
        query = urllib.parse.urlencode({"fieldValidation": "Strict"} | ({"dryRun": "All"} if dry_run else {}))
        nameless = {**wanted, "metadata": {**wanted["metadata"], "name": ""}}
        return self.request("POST", f"{self.path(nameless)}?{query}", wanted)

    def get(self, wanted: Object) -> Object | None:
        """The stored object with the identity of `wanted`, or None."""
        try:
            return self.request("GET", self.path(wanted)).body
        except RefusedError as error:
            if error.code == 404:
                return None
            raise

    def list(self, api_version: str, kind: str, labels: str = "") -> list[Object]:
        """All objects of a kind, of every namespace, which carry these labels."""
        query = f"?{urllib.parse.urlencode({'labelSelector': labels})}" if labels else ""
        items = self.request("GET", self.folder(api_version, kind) + query).body["items"]
        return [{**item, "apiVersion": api_version, "kind": kind} for item in items]

    def merge(self, target: Object, change: Object, part: str = "") -> Object:
        """Merge `change` into an object, or into a part of it such as `/status`."""
        return self.request("PATCH", self.path(target, part), change, MERGE).body

    def delete(self, target: Object) -> None:
        """Deletes an object if it exists, regardless of its finalizers."""
        try:
            left = self.request("DELETE", f"{self.path(target)}?propagationPolicy=Background").body
            if left.get("metadata", {}).get("finalizers"):
                self.merge(target, {"metadata": {"finalizers": None}})
        except RefusedError as error:
            if error.code != 404:
                raise

    def kinds(self, wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
        """The API version and kind of all that is served in the groups that are wanted; each kind once.

        A kind may be missing in the preferred version of its group, as NVIDIADriver is.
        """
        groups = self.request("GET", "/apis").body["groups"]
        names = [[each["groupVersion"] for each in group["versions"]] for group in groups if wanted(group["name"])]
        for versions in [["v1"], *names]:
            seen: set[str] = set()
            for version in versions:
                prefix = f"/apis/{version}" if "/" in version else f"/api/{version}"
                for resource in self.request("GET", prefix).body["resources"]:
                    if (
                        "/" not in resource["name"]
                        and {"list", "delete"} <= {*resource["verbs"]}
                        and resource["kind"] not in seen
                    ):
                        seen.add(resource["kind"])
                        yield version, resource["kind"]


def reason(answer: bytes) -> str:
    """The message of a Status object, or the response itself if it is not one."""
    try:
        return str(json.loads(answer)["message"])
    except (ValueError, KeyError, TypeError):
        return answer.decode(errors="replace")
