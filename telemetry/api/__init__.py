"""The API of telemetry."""
