"""Every overlay of the example fleet, applied layer by layer: nothing is rejected, warned about, dropped or changed."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.e2e.client import Answer, Object, RefusedError
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import clusters, identity, layers, prepare, wipe
from tests.e2e.readback import Difference, Fate, differences, is_built_in


class Applied(NamedTuple):
    """An object of a layer, and what the API server made of it: an answer, or the reason why not."""

    layer: str
    sent: Object
    answer: Answer | None
    refusal: str = ""


@pytest.fixture(scope="module", params=clusters())
def applied(request: pytest.FixtureRequest, cluster: Cluster, proved: Proved) -> Iterator[list[Applied]]:
    """All that one cluster of the fleet gets, applied in order."""
    order = layers(request.param)
    missing = prepare(cluster.client, (one for layer in order for one in layer.objects))
    found = [attempt(cluster, layer.name, one) for layer in order for one in layer.objects]
    sizes = ", ".join(f"{layer.name} {len(layer.objects)}" for layer in order)
    proved(
        f"{request.param}: {len(found)} objects applied ({sizes}); "
        f"{sum(bool(one.refusal) for one in found)} refused, "
        f"{sum(len(one.answer.warnings) for one in found if one.answer)} warnings"
        + (f"; namespaces made by the test: {', '.join(missing)}" if missing else "")
    )
    yield found
    wipe(cluster.client)


def attempt(cluster: Cluster, layer: str, sent: Object) -> Applied:
    """Apply an object, and keep what came of it."""
    try:
        return Applied(layer, sent, cluster.client.apply(sent))
    except RefusedError as error:
        return Applied(layer, sent, None, f"{layer}/{identity(sent)}: {error}")


def of(applied: list[Applied]) -> list[tuple[Object, Difference]]:
    """Every difference between what was sent and what the API server answered."""
    return [(one.sent, each) for one in applied if one.answer for each in differences(one.sent, one.answer.body)]


def difference_text(found: Object, difference: Difference) -> str:
    """A difference in words."""
    return f"{identity(found)} {difference.path}: {difference.sent!r} -> {difference.found!r}"


def test_nothing_is_refused(applied: list[Applied]) -> None:
    assert [one.refusal for one in applied if one.refusal] == []


def test_nothing_is_warned_of(applied: list[Applied]) -> None:
    assert [(identity(one.sent), one.answer.warnings) for one in applied if one.answer and one.answer.warnings] == []


def test_nothing_is_dropped_or_changed(applied: list[Applied]) -> None:
    """A value that the API server does not keep is a difference that an engine sees in every run."""
    assert [difference_text(*one) for one in of(applied) if one[1].fate is not Fate.ADDED] == []


def test_a_crd_adds_nothing_to_what_is_compared_whole(applied: list[Applied], proved: Proved) -> None:
    """A default of a CRD inside a list: an engine compares the list as a whole, and sees a difference in every run.

    A default next to what was sent is the server's own field; of kinds of Kubernetes engines know the defaults.
    """
    found = [(one, each) for one, each in of(applied) if each.fate is Fate.ADDED]
    count = Counter(f"{one['kind']} {each.path}" for one, each in found if not is_built_in(one["apiVersion"]))
    if count:
        proved("  defaults of CRDs: " + ", ".join(f"{path} ({n})" for path, n in sorted(count.items())))
    whole = [(one, each) for one, each in found if not is_built_in(one["apiVersion"]) and "[]" in each.path]
    assert [difference_text(*one) for one in whole] == []


def test_a_second_apply_changes_nothing(cluster: Cluster, applied: list[Applied]) -> None:
    """The same once more: the API server would store the same object."""
    again = [(one, cluster.client.apply(one.sent, dry_run=True).body) for one in applied if one.answer]
    assert [identity(one.sent) for one, second in again if one.answer and differences(one.answer.body, second)] == []
