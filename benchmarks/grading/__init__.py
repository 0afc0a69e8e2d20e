"""Fits the model of meaning and measures the grader on answers that it has not seen. See docs/grading.md."""
