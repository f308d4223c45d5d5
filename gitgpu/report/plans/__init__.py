"""Output formats of a plan: one module each, exporting `FORMAT`; its file name is the name that users write."""
