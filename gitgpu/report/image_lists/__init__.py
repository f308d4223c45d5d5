"""Output formats of the images that a fleet needs: one module each, exporting `FORMAT`; az-import is az_import."""
