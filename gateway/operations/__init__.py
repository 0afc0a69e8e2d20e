"""Named operations against the clock: deadlines, degradation, alerts."""
