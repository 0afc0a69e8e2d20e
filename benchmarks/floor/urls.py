from django.urls import path

from benchmarks.floor.views import statements
from config.urls import urlpatterns as application

# The server wants the application's addresses to start; the bare view comes before them.
urlpatterns = [path("<slug:way>/<slug:kind>/<int:learner>", statements), *application]
