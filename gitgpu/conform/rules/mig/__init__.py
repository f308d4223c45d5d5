"""MIG: profiles, layouts and the MIG manager."""
