"""KEDA triggers and their authentication."""
