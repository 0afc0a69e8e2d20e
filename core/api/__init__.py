"""The base of the API: what comes in, what goes out, paging, idempotency, limits."""
