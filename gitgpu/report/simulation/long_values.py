"""Forecasts of objects with long values: every format shows their beginning only."""

from gitgpu.report.long_values import short
from gitgpu.simulate.forecast import Forecast, Verdict


def short_forecast(forecast: Forecast) -> Forecast:
    """The forecast with only the beginnings of long values."""
    verdicts = tuple(map(_short, forecast.verdicts))
    return forecast._replace(verdicts=verdicts, notes=tuple(map(short, forecast.notes)))


def _short(verdict: Verdict) -> Verdict:
    reasons = [reason._replace(message=short(reason.message), help=short(reason.help)) for reason in verdict.reasons]
    doubts = [doubt._replace(message=short(doubt.message)) for doubt in verdict.doubts]
    return verdict._replace(
        kind=short(verdict.kind),
        namespace=short(verdict.namespace),
        name=short(verdict.name),
        reasons=tuple(reasons),
        doubts=tuple(doubts),
    )
