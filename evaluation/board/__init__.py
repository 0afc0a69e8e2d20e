"""The panels of plans and evaluations on the dashboard."""
