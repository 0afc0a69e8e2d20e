"""What the API of lessons and sessions takes and gives. The OpenAPI schema is generated from these values."""
