"""Settings of strategy that an adjustment may change."""
