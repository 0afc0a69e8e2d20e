from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts.views import passwords, second_factor, signing, tokens

app_name = "accounts"
urlpatterns = [
    path("sign-up/", signing.sign_up, name="sign_up"),
    path("sign-in/", signing.SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("password/", passwords.password, name="password"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/new/", tokens.token_new, name="token_new"),
    path("tokens/<int:token_id>/revoke/", tokens.token_revoke, name="token_revoke"),
    path("second-factor/", second_factor.enter, name="second_factor"),
    path("second-factor/set-up/", second_factor.set_up, name="second_factor_set_up"),
    path("second-factor/recovery-codes/", second_factor.recovery_codes, name="recovery_codes"),
]
