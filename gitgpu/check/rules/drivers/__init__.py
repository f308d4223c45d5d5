"""Drivers: who installs the GPU driver of a pool, and which one."""
