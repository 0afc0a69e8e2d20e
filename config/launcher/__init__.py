"""`make run`: prepares the database and the files, starts web, worker and beat, watches them, stops them.

Run as `python -m config.launcher [--port N]`. Nothing here is imported by the application.
"""
