"""Forecasts as text, JSON and an HTML page."""
