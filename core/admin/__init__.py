"""`tools` has what the admin pages of all apps share."""
