"""Output formats of an import: one module each, exporting `FORMAT`; its file name is the name that users write."""
