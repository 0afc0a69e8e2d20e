"""The API of accounts, and how programs and browsers are recognised by every API."""
