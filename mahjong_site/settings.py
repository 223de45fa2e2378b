"""Django's settings. Values that differ between installations come from the environment or a
settings file (`mahjong_site.settings_file`).

docs/operations.md lists the variables. Without any, the site listens on the loopback address and
keeps its data in `var/`.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_network
from logging import LogRecord
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from game.mjai_programs.spec import SpecError, read_specs
from game.redis.addresses import AddressError, parse_address
from mahjong_site import data_dir, logs, settings_file
from mahjong_site.mail import MailUrlError, mail_settings

try:
    settings_file.load(os.environ)
except settings_file.SettingsFileError as error:
    raise ImproperlyConfigured(str(error)) from None


def _read_flag(name: str, default: str = "0") -> bool:
    value = os.environ.get(name, "").strip().lower() or default
    if value not in {"", "0", "1", "no", "yes", "false", "true", "off", "on"}:
        raise ImproperlyConfigured(f"{name} is {value!r}; it can be 1 or 0.")
    return value in {"1", "yes", "true", "on"}


def _read_words(name: str, default: list[str]) -> list[str]:
    value = os.environ.get(name, "")
    return [word.strip() for word in value.split(",") if word.strip()] or default


def _read_networks(name: str) -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(word, strict=False) for word in _read_words(name, [])]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name}: {error}. It can be addresses and networks, with commas between them."
        ) from None


def _read_factor(name: str, at_most: int) -> float:
    value = os.environ.get(name, "").strip() or "1"
    with suppress(ValueError):
        if 0 <= float(value) <= at_most:
            return float(value)
    raise ImproperlyConfigured(f"{name} is {value!r}; it can be a number from 0 to {at_most}.")


def _read_count(name: str, default: int, at_most: int = 1_000_000) -> int:
    value = os.environ.get(name, "").strip() or str(default)
    if not re.fullmatch("[0-9]{1,9}", value) or int(value) > at_most:
        raise ImproperlyConfigured(
            f"{name} is {value!r}; it can be a whole number from 0 to {at_most}."
        )
    return int(value)


def _read_choice(name: str, values: tuple[str, ...], default: str) -> str:
    value = os.environ.get(name, "").strip() or default
    found = next((known for known in values if known.lower() == value.lower()), None)
    if found is None:
        raise ImproperlyConfigured(f"{name} is {value!r}; it can be {', '.join(values)}.")
    return found


def _read_lock_timeout(options: dict[str, object]) -> int:
    """Return for how many seconds a writer of SQLite waits for another: 5 if DATABASE_URL ends in
    ?timeout=5."""
    seconds = options.get("timeout", 20)
    if set(options) - {"timeout"} or not isinstance(seconds, int) or seconds < 0:
        raise ImproperlyConfigured("DATABASE_URL: only ?timeout=SECONDS can follow a file.")
    return seconds


def _read_origins(name: str) -> list[str]:
    origins = _read_words(name, [])
    for origin in origins:
        if not re.fullmatch(r"https?://[\w.\-\[\]:]+", origin):
            raise ImproperlyConfigured(
                f"{name} names {origin!r}; it can name origins such as https://example.org."
            )
    return origins


def _read_secret_key(directory: Path) -> str:
    """Return SECRET_KEY, or the key in the data directory, which is created if it is missing.

    With an external Redis and database several machines may serve the site. Then a key is required
    in SECRET_KEY: each machine would create its own, and people would be signed in on one machine
    only.
    """
    key = os.environ.get("SECRET_KEY", "").strip()
    if key:
        return key
    database = os.environ.get("DATABASE_URL", "").strip()
    if os.environ.get("REDIS_URL", "").strip() and database and not database.startswith("sqlite"):
        path = data_dir.secret_key_path(directory)
        advice = (
            f"Give the one in {path} to all of them."
            if path.exists()
            else "Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
        raise ImproperlyConfigured(
            "REDIS_URL and DATABASE_URL are set and SECRET_KEY is not: all machines of a site "
            f"need the same key. {advice}"
        )
    return data_dir.secret_key(directory)


BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR") or BASE_DIR / "var").absolute()

try:
    data_dir.make_data_dir(DATA_DIR)
    SECRET_KEY = _read_secret_key(DATA_DIR)
except data_dir.DataDirError as error:
    raise ImproperlyConfigured(str(error)) from None
SECRET_KEY_FALLBACKS = _read_words("SECRET_KEY_FALLBACKS", [])
"""Earlier keys, which still open what was signed or sealed under them."""

DEBUG = _read_flag("DEBUG")
ADMIN_OTP = _read_flag("ADMIN_OTP")
"""The admin site asks for a second factor."""
HTTPS = _read_flag("HTTPS")
"""The site is behind a proxy with HTTPS that sets X-Forwarded-Proto."""

ALLOWED_HOSTS = _read_words("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
ALLOWED_ORIGINS = _read_origins("ALLOWED_ORIGINS")
"""Other origins whose pages may open websockets and send forms."""
CSRF_TRUSTED_ORIGINS = ALLOWED_ORIGINS
SERVICE_WORKER = _read_flag("SERVICE_WORKER", default="1")
"""Pages register the service worker. Without it, a registered one removes itself."""
SOCKETS_PER_ADDRESS = _read_count("SOCKETS_PER_ADDRESS", default=400)
"""Open websockets of one address at each web server; 0 for any number."""
BUSY_LAG_MS = _read_count("BUSY_LAG_MS", default=50)
"""No new tables are opened while all web servers are usually so late; 0 for no limit."""

PAGE_SECONDS_PER_ADDRESS = _read_count("PAGE_SECONDS_PER_ADDRESS", default=20)
"""Seconds of processor time that the pages of one address may take at once, and again within each
minute; accounts and players with a seat have a larger budget of their own. 0 for any number."""

CONTACT = os.environ.get("CONTACT", "").strip()
"""Who runs the site and how to reach them, for the page on privacy."""

METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "").strip()
"""The token for reading /metrics from other machines. Without one, only this machine may."""
METRICS_PORT = _read_count("METRICS_PORT", default=0, at_most=65_535)
"""The port of the worker's metrics on this machine; 0 for none."""

INSTALLED_APPS = [
    "lobby",
    "game",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "django.forms",
]

MIDDLEWARE = [
    # Before SecurityMiddleware: its policies for documents mean nothing on a script or an image.
    "mahjong_site.static_files.StaticFiles",
    "django.middleware.security.SecurityMiddleware",
    "mahjong_site.content_policy.ContentPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "mahjong_site.nul_check.NoNulCharacters",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "lobby.accounts.visitors.VisitorMiddleware",
]

ROOT_URLCONF = "mahjong_site.urls"
ASGI_APPLICATION = "mahjong_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "mahjong_site.template_loader.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "libraries": {
                "avatars": "game.results.avatars",
                "bundles": "mahjong_site.bundles",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "mahjong_site.version.version_context",
                "mahjong_site.installable.install_context",
            ],
        },
    },
]

# Forms are drawn by the site's own templates.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

_DATABASE_URL = os.environ.get("DATABASE_URL", "").strip() or f"sqlite:///{DATA_DIR / 'db.sqlite3'}"
try:
    _scheme = urlsplit(_DATABASE_URL).scheme
    if _scheme not in {"postgres", "postgresql", "pgsql", "sqlite"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL begins with {_scheme!r}; it can be postgres or sqlite."
        )
    DATABASES = {"default": dj_database_url.parse(_DATABASE_URL)}
except (ValueError, dj_database_url.ParseError) as error:
    raise ImproperlyConfigured(f"DATABASE_URL: {error}") from None

DATABASE_FILE: Path | None = None
"""The file of SQLite. Only `manage.py migrate` makes it: another command that is run without the
site's settings must not leave an empty database."""
if _scheme == "sqlite":
    DATABASE_FILE = Path(DATABASES["default"]["NAME"]).absolute()
    DATABASES["default"]["NAME"] = f"{DATABASE_FILE.as_uri()}?mode=rw"
    # WAL: readers and the writer do not wait for each other. IMMEDIATE: a transaction waits for the
    # write lock at its start; later it would fail instead.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": _read_lock_timeout(DATABASES["default"].get("OPTIONS", {})),
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }

REDIS_URL = os.environ.get("REDIS_URL", "").strip() or data_dir.redis_url(DATA_DIR)
try:
    parse_address(REDIS_URL)
except AddressError as error:
    raise ImproperlyConfigured(f"REDIS_URL: {error}.") from None
REDIS_WAIT_REPLICAS = _read_count("REDIS_WAIT_REPLICAS", 0, at_most=9)
"""How many replicas must have a commit before it is acknowledged. 0: none."""
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "game.redis.channel_layer.ChannelLayer",
        "CONFIG": {"url": REDIS_URL},
    },
}

CACHES = {
    "default": {
        "BACKEND": "game.redis.django_cache.Cache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "cache",
    },
    # What is the same for all readers (game.results.made_once), in the memory of each process.
    "made": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "made",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 400},
    },
}

PERIODIC_TASKS = [
    "lobby.accounts.expiry.remove_expired",
    "game.archive.archive.remove_old_logs",
    "game.tables.wall_keys.note_wall_key",
    "game.reviews.computing.compute_queued",
    "game.reviews.reviewer_columns.compute_columns",
    "game.reviews.storage.remove_old_reviews",
    "game.imports.records.remove_old_records",
    "lobby.play.movements.advance_lobby",
    "lobby.play.movements.apply_new_bans",
    "lobby.events.rounds.open_planned_tables",
    "lobby.events.table_orders.carry_out_all",
    "lobby.events.live_tables.check_no_shows",
    "lobby.bots.ladder_queue.open_rated_games",
    "lobby.play.origins.warn_of_one_address",
]
"""Async functions without arguments that every worker calls once a second, or, if the last call
returned a number, after so many seconds."""
REVIEW_PROCESSES = _read_count("REVIEW_PROCESSES", default=1, at_most=64)
"""How many games a worker reviews at once, each in a process of its own; 0 for none."""
REVIEWS_KEPT_DAYS = _read_count("REVIEWS_KEPT_DAYS", default=30)
"""For how many days the figures of a review are kept after somebody has asked for it; 0 for ever.
They can be computed again."""
try:
    REVIEWERS = read_specs(os.environ.get("REVIEWERS", ""))
except SpecError as error:
    raise ImproperlyConfigured(f"REVIEWERS: {error}.") from None
"""Outside engines with a column in each review, as `NAME=STYLE COMMAND`, with `;` between them."""
REVIEWER_SECONDS = _read_count("REVIEWER_SECONDS", default=300, at_most=86_400)
"""The time and the CPU time of an engine for one game."""
REVIEWER_MEMORY_MB = _read_count("REVIEWER_MEMORY_MB", default=2048)
"""The address space of an engine, in MiB."""
BOTS_PER_ACCOUNT = _read_count("BOTS_PER_ACCOUNT", default=8, at_most=1000)
"""How many bots an account may register; 0 for none."""
QUEUE_MEETINGS_A_DAY = _read_count("QUEUE_MEETINGS_A_DAY", default=6)
"""After how many games of a day a pair of players is chosen last in rated queues; 0 for never."""
SAME_ADDRESS_ALLOWED = _read_networks("SAME_ADDRESS_ALLOWED")
"""Networks, such as those of a venue, whose people may meet in rated queues."""
FIND_NAME = "lobby.accounts.services.find_name"
"""The async function that returns the name of the person with an id, for spectators' chat."""
IS_OFFICIAL = "lobby.events.results.is_official"
"""The async function that tells, by the ids of a table and a person, whether the person is an
official of the event of that game, and so may see it."""

TABLE_PACE = _read_factor("TABLE_PACE", at_most=10)
"""Factor of the tables' pauses and of the time that bots take."""

RATED_ABSENCE = _read_choice("RATED_ABSENCE", ("last", "as_played"), default="last")
"""The rank of players who are absent in the last hand: last, or the place of the seat."""

ABANDONED_PAUSE_SECONDS = _read_count("ABANDONED_PAUSE_SECONDS", default=120)
"""For how long no person at an unrated table may have a socket before it pauses; 0 for ever."""
ABANDONED_END_MINUTES = _read_count("ABANDONED_END_MINUTES", default=60)
"""For how long it pauses before its game is ended."""
EMPTY_TABLES_PER_ADDRESS = _read_count("EMPTY_TABLES_PER_ADDRESS", default=8)
"""How many unfinished tables at which no player has ever had a socket one address may have opened;
0 for any number."""
TABLES_PER_ADDRESS = _read_count("TABLES_PER_ADDRESS", default=24)
"""How many unfinished tables one address may have opened; 0 for any number."""

RECORDS_KEPT_DAYS = _read_count("RECORDS_KEPT_DAYS", default=0)
"""For how many days after its end the log of a game is kept; 0 for ever. Results stay."""

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français"), ("ja", "日本語")]
"""The browser asks for one of them, unless the visitor has chosen one."""
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "mahjong_site.formats"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
# Files are served from the source tree, without a collecting step, but for the bundles, which
# `tools.bundle` writes. Browsers ask again at every load (304 if unchanged), so that modules of two
# releases never meet. Bundles and fonts have names that change with what is in them.
STATICFILES_DIRS = [
    path for path in (BASE_DIR / "static", BASE_DIR / "build/static") if path.is_dir()
]
WHITENOISE_IMMUTABLE_FILE_TEST = r"/(bundle|fonts)/[^/]+-[A-Z0-9]{8}\.(css|js|woff2)$"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 0
WHITENOISE_ALLOW_ALL_ORIGINS = False

try:
    globals().update(mail_settings(os.environ.get("EMAIL_URL", "").strip()))
except MailUrlError as error:
    raise ImproperlyConfigured(str(error)) from None
SITE_URL = next(iter(_read_origins("SITE_URL")), "")
"""The origin of links in mails; empty for the host of the request."""
DEFAULT_FROM_EMAIL = os.environ.get("MAIL_FROM", "").strip() or "mahjong@localhost"

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    # For older users, whose passwords are hashed again when they next sign in.
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "email"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
OTP_TOTP_ISSUER = "Riichi mahjong"
"""The name of the site in authenticator apps."""
OTP_ADMIN_HIDE_SENSITIVE_DATA = True
PASSWORD_RESET_TIMEOUT = 60 * 60 * 2
LOGIN_URL = "lobby:sign_in"

SESSION_COOKIE_AGE = 60 * 60 * 24 * 365
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "media-src": ["'self'"],
        "manifest-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
"""`mahjong_site.content_policy` adds to it."""
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 30


def _is_not_503(record: LogRecord) -> bool:
    """Return whether to log the record: not if it is about a status 503, whose reason is logged
    where the status is set."""
    return getattr(record, "status_code", None) != HTTPStatus.SERVICE_UNAVAILABLE


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "not_503": {"()": "django.utils.log.CallbackFilter", "callback": _is_not_503},
        "outages": {"()": "mahjong_site.outage_log.OutageFilter"},
    },
    "formatters": {
        "line": {"()": "mahjong_site.logs.LineFormatter"},
        "json": {"()": "mahjong_site.logs.JsonFormatter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["outages"],
            "formatter": _read_choice("LOG_FORMAT", logs.FORMATS, default="line"),
        }
    },
    "root": {
        "handlers": ["stderr"],
        "level": _read_choice("LOG_LEVEL", logs.LEVELS, default="WARNING"),
    },
    "loggers": {
        # Django's own handlers log only with DEBUG or by mail; this site logs to stderr.
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        # Statements that write games contain every tile.
        "django.db.backends": {"level": "INFO"},
        # Its lines contain what players are sent.
        "websockets.server": {"level": "WARNING"},
        # Each attempt of the pool to connect during an outage, which the site reports itself.
        "psycopg.pool": {"level": "ERROR"},
        # Unknown addresses, false host names and forms with too many fields come from visitors, who
        # could fill the log with tracebacks.
        "django.request": {"level": "ERROR", "filters": ["not_503"]},
        "django.security": {"level": "CRITICAL"},
        "django.security.csrf": {"level": "WARNING"},
    },
}
