"""The figures: one module, one figure, exported as FIGURE."""
