"""Notes that apply to several workloads of a run: each is reported once, with its workloads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gitgpu.simulate.forecast import Doubt, Forecast, Verdict
from gitgpu.spelling import comma_separated, count_text

_NAMED = 3  # the most workloads that a line names


class Subject(NamedTuple):
    """A workload on a cluster."""

    cluster: str
    workload: Verdict


def shared_notes(forecasts: Iterable[Forecast]) -> Mapping[Doubt, tuple[Subject, ...]]:
    """Doubts that decide nothing and are the same for several workloads, in the order of the first workload."""
    subjects: dict[Doubt, list[Subject]] = {}
    for forecast in forecasts:
        for verdict in forecast.verdicts:
            for doubt in verdict.doubts:
                if not doubt.decides:
                    subjects.setdefault(doubt, []).append(Subject(forecast.cluster, verdict))
    return {doubt: tuple(about) for doubt, about in subjects.items() if len(about) > 1}


def without_shared(every_forecast: Iterable[Forecast]) -> list[Forecast]:
    """The same forecasts, where each workload keeps only its own doubts, or those that decide its verdict."""
    forecasts = list(every_forecast)
    shared = shared_notes(forecasts)
    kept: list[Forecast] = []
    for forecast in forecasts:
        verdicts = tuple(_kept(verdict, shared) for verdict in forecast.verdicts)
        kept.append(forecast._replace(verdicts=verdicts))
    return kept


def note_lines(forecasts: Iterable[Forecast]) -> Iterator[str]:
    """A sentence for each shared note: `note (2 workloads: a/b, a/c): ...`."""
    for doubt, subjects in shared_notes(forecasts).items():
        yield f"note ({_named(subjects)}): {doubt.message}"


def _named(subjects: Sequence[Subject]) -> str:
    titles = list(dict.fromkeys(subject.workload.title for subject in subjects))
    if len(titles) == 1:
        clusters = {subject.cluster for subject in subjects}
        return f"{titles[0]} on {count_text(len(clusters), 'cluster')}"
    return f"{count_text(len(titles), 'workload')}: {comma_separated(titles, _NAMED)}"


def _kept(verdict: Verdict, shared: Mapping[Doubt, object]) -> Verdict:
    return verdict._replace(doubts=tuple(doubt for doubt in verdict.doubts if doubt not in shared))
