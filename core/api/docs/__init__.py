"""The API's description, for programs (OpenAPI) and for people."""
