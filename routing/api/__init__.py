"""The API of the consult and of its audit trail."""
