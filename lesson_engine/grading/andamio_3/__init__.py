"""What andamio-3 does otherwise than `language`: folding and stems. Its recorded verdicts are held by a test."""
