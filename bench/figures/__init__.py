"""The figures: each module exports one figure as FIGURE."""
