"""The entrance of staff: the admin site, and what each page for staff requires."""
