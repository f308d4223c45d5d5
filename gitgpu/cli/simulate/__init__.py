"""`gitgpu simulate`: what it assumes, the forecasts, and how they are shown."""
