"""The learner's pages."""
