"""The objects of files as they are applied, each checked against the contract of its kind."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.delivery.flux import is_flux
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.delivery.kustomize_replacements import replaced_fields, with_replaced_fields
from gitgpu.objects.delivery.kustomize_variables import variables, with_variables
from gitgpu.objects.delivery.partial_files import incomplete
from gitgpu.objects.delivery.patches import apply_patches
from gitgpu.objects.delivery.substitution import Fill, Substituted, substitute, unseal
from gitgpu.objects.grouping.applied import as_applied
from gitgpu.objects.grouping.copies import Checked, Copies, Terms, how_applied
from gitgpu.objects.grouping.substituted import check_substituted
from gitgpu.objects.items import item_of
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.manifest.enabled_versions import ENABLED, enabled_versions
from gitgpu.objects.manifest.manifest_file import is_ours
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Item
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.validation.partial_objects import check_partial, in_both
from gitgpu.objects.workload.known_kinds import WORKLOADS


class CheckedItems:
    """Checks each object once for each way in which it is applied, because groups can share files.

    `skip` names kinds ("ConfigMap" or "v1/ConfigMap", case-insensitive) that are not checked. `faults` are those of the
    objects that were read so far, `counted` the ids of these objects, `skipped` how many of them were not checked, and
    `substituted` the ids of those into which Flux fills values.
    """

    def __init__(self, manifests: Manifests, norms: Norms, skip: Iterable[str]) -> None:
        self.manifests = manifests
        self.objects = {name: file.objects for name, file in manifests.files.items()}
        self.norms, self.skip = norms, frozenset(kind.lower() for kind in skip)
        norms.run_cache[ENABLED] = enabled_versions(text.content for text in manifests.texts.values())
        self.faults: list[Diagnostic] = []
        self.counted: set[int] = set()
        self.skipped = 0
        self.substituted: set[int] = set()
        self._flux = is_flux(self.objects)
        self._incomplete = incomplete(manifests.kustomizations, manifests.files)
        self._variables = variables(manifests.kustomizations)
        self._replaced = replaced_fields(manifests.kustomizations, manifests.texts)
        self._copies = Copies(self.objects, self._incomplete)
        self._checked: dict[tuple[Hashable, ...], Item | None] = {}

    def of_part(self, part: Part, terms: Terms) -> Iterator[Item]:
        """The objects of a file as they are applied in a group."""
        how = how_applied(part)
        for loaded in self.objects.get(part.file, ()):
            key = (id(loaded), terms, *how)
            if key not in self._checked:
                self._checked[key] = self._check(loaded, part, terms)
            item = self._checked[key]
            if item is not None:
                yield as_applied(item, loaded, part)

    def every(self) -> Iterator[Item]:
        """The objects that were read so far, in order, each as it is applied."""
        return filter(None, self._checked.values())

    def _check(self, loaded: Loaded, part: Part, terms: Terms) -> Item | None:
        """The object as rules see it; None if it is skipped or deleted."""
        is_new = id(loaded) not in self.counted
        self.counted.add(id(loaded))
        if self._is_skipped(loaded.body):
            self.skipped += is_new
            return None
        if part.by and part.by.fill:
            self.substituted.add(id(loaded))
        item, faults = self._copies.check(loaded, part, terms, self._check_delivered)
        if item is not None:
            self.faults += faults
            is_checked = item.scope is not Scope.UNKNOWN or item.identity[:2] in WORKLOADS
            self.skipped += is_new and not is_checked
        return item

    def _is_skipped(self, body: dict[str, Any]) -> bool:
        api_version, kind = body["apiVersion"], body["kind"]
        by_user = kind.lower() in self.skip or f"{api_version}/{kind}".lower() in self.skip
        return by_user or is_ours(body) or api_version == "builtin"  # a Kustomize transformer

    def _check_delivered(self, loaded: Loaded, part: Part, terms: Terms) -> Checked:
        """The object after patches and substitution, and the faults that its file has too. None if it is deleted."""

        def look(now: Given) -> tuple[Item, list[Diagnostic]]:
            known, by_hand = self._incomplete, part.by is None
            norms = self.norms.running(terms.versions)
            return check_partial(
                now, loaded.file, known, lambda whole: item_of(whole, terms.minor, norms), by_hand=by_hand
            )

        def check(body: dict[str, Any]) -> tuple[Item, list[Diagnostic]]:
            filled = with_variables(unseal(substitute(body, fill) if fill else Substituted(body)), self._variables)
            filled = with_replaced_fields(filled, self._replaced, part.namespace)
            return check_substituted(Given(body, loaded.places, part.patch), filled, look)

        fill = (part.by.fill if part.by else None) or (Fill() if self._flux else None)
        if not (fill or part.changes or self._variables or self._replaced or "sops" in loaded.body):  # most objects
            return look(Given(loaded.body, loaded.places, part.patch))
        body = apply_patches(loaded.body, part.changes, part.namespace) if part.changes else loaded.body
        if body is None:
            return None, []
        item, faults = check(body)
        if body == loaded.body:
            return item, faults
        return item._replace(written=body), in_both(faults, check(loaded.body)[1])
