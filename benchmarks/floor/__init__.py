"""The floor: a Django project of one view, no middleware and no models, served exactly as the application is."""
