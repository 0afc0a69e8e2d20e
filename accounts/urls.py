from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("sign-up/", views.sign_up, name="sign_up"),
    path("sign-in/", views.SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
]
