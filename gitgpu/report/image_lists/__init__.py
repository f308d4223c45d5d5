"""Ways to tell which images a fleet needs: one module each, exporting `FORMAT`. That of az-import is az_import."""
