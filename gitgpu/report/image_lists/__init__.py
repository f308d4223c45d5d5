"""Formats of the list of images that a fleet needs: one module each, exporting `FORMAT`; az-import is az_import."""
