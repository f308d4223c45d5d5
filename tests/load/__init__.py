"""Tests of load/."""
