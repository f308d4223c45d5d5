"""Values with a syntax: quantities, durations, versions, image references, cron expressions, Azure resource IDs."""
