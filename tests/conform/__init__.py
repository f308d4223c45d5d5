"""Tests of conform/."""
