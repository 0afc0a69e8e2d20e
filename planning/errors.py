"""What planning refuses."""

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class PlanRefused(AndamioError):
    """The plan is not whole, so that it is not saved. `places` says where, as JSON pointers."""

    code = "plan-refused"
    status = 422
    title = _("The plan is not whole")
    description = _(
        "Steps are numbered from 1 without gaps and depend on earlier ones only, and at least one criterion can be"
        " measured. The errors say where that is not so. Nothing was stored."
    )


class PlanNotFound(AndamioError):
    """There is no such plan, or it is somebody else's."""

    code = "plan-not-found"
    status = 404
    title = _("There is no such plan")
    description = _("No plan has this id, or it is not yours to see. Plans go with the learner they were made for.")
