"""The open set of report formats: one module, one format, exported as `FORMAT`."""
