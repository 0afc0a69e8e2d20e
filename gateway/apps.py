from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class GatewayConfig(AppConfig):
    name = "gateway"
    verbose_name = _("Models and money")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.operations import readiness
        from core.problems.documents import problems_register_errors
        from gateway import errors, receivers
        from gateway.embedding import local
        from gateway.figures import reading
        from gateway.ledger import anchoring, signing
        from gateway.models import Account
        from telemetry.anchors.sources import anchor_source_register
        from telemetry.chains.signing import signer_register

        reading.register()
        anchor_source_register(anchoring.ACCOUNTS)
        anchor_source_register(anchoring.TOTALS)
        signer_register(Account, signing.accounts_sign)
        readiness.register("embedder", local.readiness)
        post_migrate.connect(receivers.prices_come, sender=self, dispatch_uid="gateway.prices_come")
        guest_absorbed.connect(receivers.calls_move, dispatch_uid="gateway.calls_move")
        learner_erased.connect(receivers.texts_go, dispatch_uid="gateway.texts_go")
        problems_register_errors(errors)
