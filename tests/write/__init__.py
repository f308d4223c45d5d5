"""Tests of the last stage: text and disk."""
