"""Refusals as RFC 9457 problem documents."""
