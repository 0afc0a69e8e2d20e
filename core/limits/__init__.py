"""How much one user and one address may ask for in some time, on pages and through the API."""
