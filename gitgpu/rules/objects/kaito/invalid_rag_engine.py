"""A RAGEngine that KAITO rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import RAG_ENGINE
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_EMBEDDING: Pointer = ("spec", "embedding")
_SERVICE: Pointer = ("spec", "inferenceService")


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*RAG_ENGINE):
        spec = reach(item.body, "spec")
        if spec:
            faults = (*_embedding(spec["embedding"]), *_service(spec.get("inferenceService") or {}))
            yield from (Finding(item, place, message, remedy) for place, message, remedy in faults)


def _embedding(embedding: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    local, remote = embedding.get("local"), embedding.get("remote")
    if (local is None) == (remote is None):
        how = "neither local nor remote" if local is None else "both local and remote"
        yield _EMBEDDING, f"embedding has {how}", "set either local or remote"
    if local is not None and bool(local.get("image")) == bool(local.get("modelID")):
        how = "both an image and a modelID" if local.get("image") else "neither an image nor a modelID"
        remedy = "set either image or modelID, such as modelID: BAAI/bge-small-en-v1.5"
        yield (*_EMBEDDING, "local"), f"the local embedding has {how}", remedy


def _service(service: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    size, url = service.get("contextWindowSize"), service.get("url")
    if isinstance(size, int) and size <= 0:
        remedy = "set it to the context window of the model, in tokens"
        yield (*_SERVICE, "contextWindowSize"), f"contextWindowSize must be greater than 0; found {size}", remedy
    # "<" starts a placeholder; KAITO takes a path too, as Go's url.ParseRequestURI does.
    if url and "<" not in url and not is_template(url) and "://" not in url and not url.startswith("/"):
        yield (*_SERVICE, "url"), f"'{url}' is not a URL", f"use http://{url}"


RULE = Rule(
    code="KAI015",
    name="invalid-rag-engine",
    severity=Severity.ERROR,
    rejects=True,
    summary="A RAGEngine does not have exactly one embedding with one source, or its inference service is not valid.",
    help="The CRD does not validate these fields. KAITO's admission webhook rejects an embedding without exactly "
    "one of local and remote, a local one without exactly one of an image and a modelID, and a URL that is "
    "not valid.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/ragengine_validation.go",
    ),
    check=_check,
)
