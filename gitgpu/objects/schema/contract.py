"""The contract of a kind: the schema that its objects must match."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.load.explain import explain_faults
from gitgpu.load.explain.fault import Fault
from gitgpu.load.validate.compiler import Dialect, Dialects, compile_schema
from gitgpu.load.validate.keywords import Check
from gitgpu.load.validate.releases import NEWEST, PROJECT
from gitgpu.objects.schema.variants import Variant

# Without a release, such as for a contract from main, keys belong to the apiVersion.
_RELEASE = re.compile(r"reduced from (\S+ v\S+)(?: of (\S+))? @")


class Scope(StrEnum):
    """Where objects of a kind belong: in a namespace, in the cluster, or only in files that Kustomize reads."""

    NAMESPACED = "Namespaced"
    CLUSTER = "Cluster"
    FILE = "File"
    UNKNOWN = "Unknown"


class Contract(NamedTuple):
    """What the objects of a kind must match. `whole` and `part` return whether an object or a patch does.

    If releases of its project differ, `variants` has the contract of each, oldest first: `schema` is what all of them
    accept, and an object matches the contract if it matches one of them.
    """

    scope: Scope
    schema: dict[str, Any]
    full: Dialect
    partial: Dialect
    whole: Check
    part: Check
    variants: tuple[Variant, ...] = ()
    everywhere: tuple[Check, Check] | None = None

    @property
    def project(self) -> str:
        """The project that installs the kind, such as "keda"; "" if its releases are not known."""
        name: str = self.schema.get(PROJECT, "")
        return name

    @property
    def newest_release(self) -> str:
        """The newest known release with the kind; "" if its releases are not known."""
        number: str = self.schema.get(NEWEST, "")
        return number

    @property
    def newest(self) -> dict[str, Any]:
        """The schema of the newest release."""
        return self.variants[-1].schema() if self.variants else self.schema

    def fits_everywhere(self, body: Mapping[str, Any], *, patch: bool = False) -> bool:
        """Whether every release accepts an object or a patch."""
        whole, part = self.everywhere or (self.whole, self.part)
        return (part if patch else whole)(body)

    @property
    def api_version(self) -> str:
        """The apiVersion in a contract of our own; "" if it does not name one."""
        const: str = self.schema.get("properties", {}).get("apiVersion", {}).get("const", "")
        return const

    @property
    def release(self) -> tuple[str, str]:
        """The release that a contract was reduced from, and its date (ISO): ("kedacore/keda v2.20.2", "2026-07-31").

        "" is unknown.
        """
        match = _RELEASE.search(self.schema.get("$comment", ""))
        return (match[1], match[2] or "") if match else ("", "")

    def faults(self, body: Mapping[str, Any], *, patch: bool = False) -> list[Fault]:
        """Why an object does not match, in the newest release; empty if it matches in some release."""
        if (self.part if patch else self.whole)(body):
            return []
        if not self.variants:
            return explain_faults(self.schema, body, self.partial if patch else self.full)
        return self.variants[-1].faults(body, patch=patch)


def contract(scope: Scope, schema: dict[str, Any], dialects: Dialects) -> Contract:
    """The contract for a schema."""
    whole, part = (compile_schema(schema, dialect) for dialect in dialects)
    return Contract(scope, schema, *dialects, whole, part)


def api_group(api_version: str) -> str:
    """The API group: "apps" of "apps/v1", and "" of "v1"."""
    return api_version.rpartition("/")[0]
