"""The REST API of lessons and sessions: everything the learner's page can do. Views fetch, call a service and show."""
