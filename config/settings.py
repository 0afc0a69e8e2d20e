"""Settings, read from the environment. Every variable is listed in docs/operator.md; a test holds the list complete."""

import os
import secrets
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.http.request import split_domain_port
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from config import batch, database, env

# Before anything loads NumPy: the embedder's small matrices are ten times faster with one thread each than with several
# that wait for one another, and a process per core keeps the cores busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = (BASE_DIR / env.text("ANDAMIO_VAR", "var")).resolve()
EMBEDDED = not env.text("DATABASE_URL")
# A command for files uses the database and the key that are there, and makes do without.
_COMMAND = batch.command_of(sys.argv)
BATCH = _COMMAND in batch.WITHOUT_DATABASE


def _secret_key() -> str:
    """The key of the environment; with the embedded database, one made on the first start and kept in `var/`.

    A command for files makes none: it gets the one that is there, or none.
    """
    if key := env.text("SECRET_KEY"):
        return key
    if BATCH:
        path = VAR_DIR / "secret_key"
        return path.read_text() if EMBEDDED and os.access(path, os.R_OK) else ""
    if not EMBEDDED:
        raise ImproperlyConfigured("SECRET_KEY (or SECRET_KEY_FILE) must be set when DATABASE_URL is")
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    path = VAR_DIR / "secret_key"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(64))
    return path.read_text()


_LASTING_KEY = _secret_key()
SECRET_KEY = _LASTING_KEY or secrets.token_urlsafe(64)
DEBUG = False

# Where people reach the server. An https address switches on everything that belongs to it.
PUBLIC_URL = env.origin("PUBLIC_URL")
HTTPS = PUBLIC_URL.startswith("https:")
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *env.words("ALLOWED_HOSTS")]
if PUBLIC_URL:
    ALLOWED_HOSTS.append(split_domain_port(urlsplit(PUBLIC_URL).netloc)[0])
    CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
if HTTPS:
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = env.integer("HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$"]  # watchers ask the process itself, without the proxy's https
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 180 * 24 * 3600  # a guest's only key to their lesson is this cookie
# Staff, whose sessions open everything, sign in for a working day, and again when they were away from it.
STAFF_SESSION_HOURS = env.integer("STAFF_SESSION_HOURS", 12, minimum=1)
STAFF_IDLE_MINUTES = env.integer("STAFF_IDLE_MINUTES", 60, minimum=1)
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, LANGUAGE_COOKIE_NAME = "andamio_session", "andamio_csrf", "andamio_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = SESSION_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "lesson_engine.learn.views.csrf_failure"
# The most bytes of a body, held by the web server; far above any answer. Lesson files come by a form of their own.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]  # nothing sent touches the disk

INSTALLED_APPS = [
    "core.apps.CoreConfig",
    "accounts.apps.AccountsConfig",
    "telemetry.apps.TelemetryConfig",
    "gateway.apps.GatewayConfig",
    "memory.apps.MemoryConfig",
    "planning.apps.PlanningConfig",
    "evaluation.apps.EvaluationConfig",
    "reflection.apps.ReflectionConfig",
    "routing.apps.RoutingConfig",
    "analysis.apps.AnalysisConfig",
    "lesson_engine.apps.LessonEngineConfig",
    "accounts.staff.admin_config.AndamioAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "axes",
    "csp",
    "django_celery_beat",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "pgtrigger",
    "rest_framework",
    "template_partials",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.sign_in.staff_sessions.Authentication",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "core.pages.htmx.VaryOnHtmx",
    "core.pages.please_wait.PleaseWait",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    }
]

_embedded_url = database.running_url if BATCH else database.embedded_url
DATABASE_URL = env.text("DATABASE_URL") or _embedded_url(VAR_DIR / "postgres")
DATABASES = {"default": database.django_database(DATABASE_URL or database.NOWHERE)}
# The role that the product works as. The tables are another's, and a few commands alone run as that one.
APPLICATION_ROLE = DATABASES["default"]["USER"]
if _COMMAND in database.OWNERS_COMMANDS:
    DATABASES["default"] = database.owners_database(DATABASES["default"], env.text("DATABASE_OWNER_URL"), EMBEDDED)
# Connections are shared by a process's threads and handed back with each response: 64 learners need no 64 sessions.
DATABASE_POOL_SIZE = env.integer("DATABASE_POOL_SIZE", 16, minimum=1)
if BATCH:
    # No pool: it would try for long to reach a database that can be done without.
    DATABASES["default"]["OPTIONS"].setdefault("connect_timeout", "3")
else:
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": 10}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in (
            "UserAttributeSimilarityValidator",
            "MinimumLengthValidator",
            "CommonPasswordValidator",
            "NumericPasswordValidator",
        )
    ),
    {"NAME": "accounts.services.passwords.EndsTokens"},
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "accounts:sign_in", "lesson_engine:home", "lesson_engine:home"
AXES_FAILURE_LIMIT = env.integer("LOGIN_ATTEMPTS", 8, minimum=1)
LOGIN_FAILURES_ADDRESS = env.integer("LOGIN_FAILURES_ADDRESS", 20, minimum=1)
LOGIN_FAILURES_ADDRESS_DAY = env.integer("LOGIN_FAILURES_ADDRESS_DAY", 200, minimum=1)
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "accounts/locked_out.html"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # a quarter of an hour, however often somebody tries meanwhile
AXES_CLIENT_IP_CALLABLE = "accounts.sign_in.lockout.address_of"  # REMOTE_ADDR and no header
AXES_USERNAME_CALLABLE = "accounts.sign_in.lockout.key_of_name"
AXES_VERBOSE = False  # its lines tell neither name nor address nor browser
AXES_DISABLE_ACCESS_LOG = True  # addresses of everybody who starts as a guest, kept for nothing

# Why staff enter the administration with the password alone, in words; empty: they need a second factor.
_HERE_ONLY = EMBEDDED and not PUBLIC_URL and not env.words("ALLOWED_HOSTS")
_HERE_ONLY = _HERE_ONLY and env.text("HOST", "127.0.0.1") in ("127.0.0.1", "::1", "localhost")
_REASON = gettext_noop("this server is for this machine only") if _HERE_ONLY else ""
STAFF_WITHOUT_SECOND_FACTOR = env.text("STAFF_WITHOUT_SECOND_FACTOR", _REASON).strip()
OTP_TOTP_ISSUER = "Andamio"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_I18N = USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "telemetry.board.static_files.PlotlyFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}

# What a user, and all users at one address, may do in a minute of each limited action, in units of about a hundredth of
# a second of the server's computing; and how many guests and accounts an address may make in an hour.
WORK_RATE_USER = env.integer("WORK_RATE_USER", 1200, minimum=1)
WORK_RATE_ADDRESS = env.integer("WORK_RATE_ADDRESS", 3600, minimum=1)
NEWCOMERS_ADDRESS = env.integer("NEWCOMERS_ADDRESS", 200, minimum=1)
# Requests a minute through the API. A token counts against its own limit and its owner's.
API_RATE_USER = env.integer("API_RATE_USER", 1200, minimum=1)
API_RATE_TOKEN = env.integer("API_RATE_TOKEN", 600, minimum=1)
API_RATE_ADDRESS = env.integer("API_RATE_ADDRESS", 120, minimum=1)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
        "accounts.api.authentication.BrowserSession",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.authentication.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["core.api.throttling.RateThrottle"],
    "DEFAULT_PARSER_CLASSES": [],  # an ApiView reads JSON by its contracts, and nothing else
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "core.api.docs.auto_schema.ContractSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "core.api.exception_handler.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Andamio",
    "DESCRIPTION": "Lessons, sessions and telemetry of Andamio, a tutor that stays inside its lesson.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVERS": [{"url": PUBLIC_URL or "/", "description": "This server"}],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "TAGS": [
        {"name": "Lessons", "description": "What can be learnt."},
        {"name": "Sessions", "description": "Somebody taking a lesson: everything that the page can do."},
        {"name": "Learners", "description": "Those whom your program knows under names of its own."},
        {"name": "Consult", "description": "A question, how it is understood, and the audit trail of both."},
        {"name": "Money", "description": "What may be spent on models, what was, and what they cost."},
        {"name": "Telemetry", "description": "What happened, for good, without anybody's words or name."},
    ],
    "POSTPROCESSING_HOOKS": [],
    "SORT_OPERATION_PARAMETERS": False,
    "PATH_CONVERTER_OVERRIDES": {"slug": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}},
}

CELERY_BROKER_URL = env.text("CELERY_BROKER_URL") or database.broker_url(DATABASES["default"])
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "config.scheduler:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "heartbeat": {"task": "core.tasks.heartbeat", "schedule": 15.0, "options": {"expires": 15}},
    "purge-broker": {"task": "core.tasks.purge_broker", "schedule": 600.0, "options": {"expires": 600}},
    "take-up-turns": {"task": "lesson_engine.tasks.take_up_turns", "schedule": 15.0, "options": {"expires": 15}},
    "rescore-voids": {"task": "lesson_engine.tasks.rescore_voids", "schedule": 15.0, "options": {"expires": 15}},
    "evaluate-goals": {"task": "lesson_engine.tasks.evaluate_goals", "schedule": 15.0, "options": {"expires": 15}},
    "reflect": {"task": "reflection.tasks.reflect", "schedule": 15.0, "options": {"expires": 15}},
    "revalidate-patterns": {
        "task": "reflection.tasks.revalidate_patterns",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "purge-reflection-cache": {"task": "reflection.tasks.purge_cache", "schedule": 600.0, "options": {"expires": 600}},
    "check-quality": {"task": "reflection.tasks.check_quality", "schedule": 600.0, "options": {"expires": 600}},
    "erase-late-words": {"task": "lesson_engine.tasks.erase_late_words", "schedule": 3600.0},
    "advance-roll-ups": {"task": "telemetry.tasks.advance_rollups", "schedule": 60.0, "options": {"expires": 60}},
    "verify-chains": {"task": "telemetry.tasks.verify_chains", "schedule": 3600.0, "options": {"expires": 3600}},
    "set-anchor": {"task": "telemetry.tasks.set_anchor", "schedule": 3600.0, "options": {"expires": 3600}},
    "purge-sessions": {"task": "core.tasks.purge_sessions", "schedule": 24 * 3600.0},
    "purge-requests": {"task": "core.tasks.purge_requests", "schedule": 600.0, "options": {"expires": 600}},
    "expire-holds": {"task": "gateway.tasks.expire_holds", "schedule": 15.0, "options": {"expires": 15}},
    "check-alerts": {"task": "gateway.tasks.check_alerts", "schedule": 60.0, "options": {"expires": 60}},
    "purge-gateway": {"task": "gateway.tasks.purge", "schedule": 3600.0, "options": {"expires": 3600}},
    "purge-plan-cache": {"task": "planning.tasks.purge_cache", "schedule": 600.0, "options": {"expires": 600}},
    "purge-attempts": {"task": "accounts.tasks.purge_attempts", "schedule": 3600.0, "options": {"expires": 3600}},
    "trim-embeddings": {"task": "gateway.tasks.trim_embeddings", "schedule": 600.0, "options": {"expires": 600}},
    "purge-memories": {"task": "memory.tasks.purge", "schedule": 3600.0, "options": {"expires": 3600}},
}
DJANGO_CELERY_BEAT_TZ_AWARE = True

# spec/3 "Variables de Entorno"
SESSION_BUDGET_CENTS = env.integer("SESSION_BUDGET_CENTS", 100)
MAX_ESCALATIONS_PER_SESSION = env.integer("MAX_ESCALATIONS_PER_SESSION", 5)
ESCALATION_THRESHOLD_CENTS = env.integer("ESCALATION_THRESHOLD_CENTS", 10)
ECONOMY_THRESHOLD_CENTS = env.integer("ECONOMY_THRESHOLD_CENTS", 5)
# RT-009's, and one for all guests together; of an agent's month, the percentage for one user, for all learners whom one
# integrator manages, and for all guests.
USER_DAY_BUDGET_CENTS = env.integer("USER_DAY_BUDGET_CENTS", 500)
GUESTS_DAY_BUDGET_CENTS = env.integer("GUESTS_DAY_BUDGET_CENTS", 500)
AGENT_MONTH_BUDGET_CENTS = env.integer("AGENT_MONTH_BUDGET_CENTS", 10_000)
USER_MONTH_SHARE = env.integer("USER_MONTH_SHARE", 4)
INTEGRATOR_MONTH_SHARE = env.integer("INTEGRATOR_MONTH_SHARE", 50)
GUESTS_MONTH_SHARE = env.integer("GUESTS_MONTH_SHARE", 20)

# Models by tier. None are asked unless an operator says where: by a key for OpenAI, or the address of another server.
OPENAI_BASE_URL = env.text("OPENAI_BASE_URL")
OPENAI_API_KEY = env.text("OPENAI_API_KEY")
MODELS_CONFIGURED = bool(OPENAI_BASE_URL or OPENAI_API_KEY) and not BATCH
CHEAP_MODEL = env.text("CHEAP_MODEL", "gpt-4o-mini")
THINKER_MODEL = env.text("THINKER_MODEL", "o3-mini")
# Set explicitly, it is a charged embedder beside the local one; otherwise there is none.
EMBED_MODEL = env.text("EMBED_MODEL")
# Keep what models were sent and said, apart and erasable, for so many days. Otherwise hashes and sizes alone.
MODEL_TEXT_LOG = env.flag("MODEL_TEXT_LOG")
MODEL_TEXT_DAYS = env.integer("MODEL_TEXT_DAYS", 30, minimum=1)
# Staff see in the player why the tutor did what it did. In the sources also NEXT_PUBLIC_ENGINE_DEBUG.
ENGINE_DEBUG = env.flag("ENGINE_DEBUG")

# Vectors of texts that the database keeps for all processes; 0: none. With a key of the moment nothing is found again.
EMBEDDING_CACHE_ROWS = env.integer("EMBEDDING_CACHE_ROWS", 200_000) if DATABASE_URL and _LASTING_KEY else 0

# How a reply's deviation is judged: "semantic", or the documented "word_ratio".
DEVIATION_POLICY: Any = env.choice("DEVIATION_POLICY", ("semantic", "word_ratio"))

# What query plans may contain. Source: spec/4, 5; design.md, "Settled", 9.
QUERY_PLAN_PHASE = int(env.choice("QUERY_PLAN_PHASE", ("2", "3", "4", "5")))
# Whether a model may be asked, by the asker's budget, about questions that the router is unsure of.
QUERY_PLAN_ASKS_MODEL = env.flag("QUERY_PLAN_ASKS_MODEL")

# What audit entries are signed with: the first one signs, all verify; without any, a key made of SECRET_KEY signs.
# Put a new one in front to rotate. Former SECRET_KEYs stay in SECRET_KEY_FALLBACKS for what was signed with them.
AUDIT_KEYS = env.words("AUDIT_KEYS")
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
# Where the ends of all chains are written every hour, and where that is sent: mailto:NAME@HOST, https://HOST/PATH.
AUDIT_ANCHORS = (BASE_DIR / (env.text("AUDIT_ANCHORS") or VAR_DIR / "anchors")).resolve()
AUDIT_ANCHOR_TO = env.words("AUDIT_ANCHOR_TO")
AUDIT_RETENTION_DAYS = env.integer("AUDIT_RETENTION_DAYS", 3650, minimum=1)

# Mail goes out for anchors alone.
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.integer("EMAIL_PORT", 25, minimum=1)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS")
EMAIL_USE_SSL = env.flag("EMAIL_USE_SSL")
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "andamio@localhost")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"readyz": {"()": "core.operations.logs.readyz_filter"}},
    "formatters": {"json": {"()": "core.operations.logs.json_formatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        # What Django and uvicorn set up for themselves gives way: one handler, one level.
        "django": {"level": "NOTSET"},
        "django.request": {"filters": ["readyz"]},
        "django.server": {"level": "NOTSET", "propagate": True},
        "uvicorn": {"level": "NOTSET", "propagate": True},
        "uvicorn.error": {"level": "NOTSET"},
        "uvicorn.access": {"propagate": False},  # who asked for what is the proxy's to log
        # The pool reports each failed try; what comes of it is raised where the connection was wanted.
        "psycopg.pool": {"level": "ERROR"},
    },
    "root": {
        "handlers": ["console"],
        "level": env.choice("LOG_LEVEL", ("WARNING", "DEBUG", "INFO", "ERROR", "CRITICAL")),
    },
}
