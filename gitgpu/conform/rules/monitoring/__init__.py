"""Monitoring: scrape objects, counters of the DCGM exporter, settings of the Azure Monitor agent."""
