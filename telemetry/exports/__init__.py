"""Events in the forms that leave the server."""
