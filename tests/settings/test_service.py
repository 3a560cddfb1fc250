"""Settings of `casino.toml`, and the environment variables that override them."""

from pathlib import Path

import pytest

from casino.settings import ServiceSettings, load_settings
from tests.settings.conftest import Folder

REFUSED = [
    ("colour = 'green'", "colour", "unknown key"),
    ("[server]\nport = 8080", "server", "unknown key"),
    ("[service]\nports = 8080", "service.ports", "unknown key"),
    ("[database]\nurls = 'x'", "database.urls", "unknown key"),
    ("[rates]\nguests = 1", "rates.guests", "unknown key"),
    ("[service]\nport = '8080'", "service.port", "valid integer"),
    ("[service]\nport = true", "service.port", "valid integer"),
    ("[service]\nport = 8080.0", "service.port", "valid integer"),
    ("[service]\nport = -1", "service.port", "greater than or equal to 0"),
    ("[service]\nport = 65536", "service.port", "less than or equal to 65535"),
    ("[service]\nhost = 127", "service.host", "valid string"),
    ("[service]\nallowed_origins = 'https://example.org'", "service.allowed_origins", "valid list"),
    ("[service]\nallowed_origins = [1]", "service.allowed_origins.0", "valid string"),
    ("[service]\ncurrency = 'euro'", "service.currency", "a currency is three capital letters"),
    ("[service]\ncurrency = 'eur'", "service.currency", "a currency is three capital letters"),
    ("[service]\ncurrency = 'ÄÖÜ'", "service.currency", "a currency is three capital letters"),
    ("[guests]\nenabled = 1", "guests.enabled", "valid boolean"),
    ("[guests]\ncredit = -1", "guests.credit", "greater than or equal to 0"),
    ("[guests]\ncredit = 1.5", "guests.credit", "valid integer"),
    ("[guests]\ncredit = 1000000000001", "guests.credit", "less than or equal to"),
    ("[guests]\ncurrency = 'EUR'", "guests.currency", "a currency of its own"),
    ("secret_key = ''", "secret_key", "at least 1"),
    ("[rates]\nguests_per_minute = 0", "rates.guests_per_minute", "greater than or equal to 1"),
    ("[rates]\nwrong_passwords_per_minute = 0", "rates.wrong_passwords_per_minute", "greater than or equal to 1"),
    ("[rates]\nsign_ins_per_minute = '5'", "rates.sign_ins_per_minute", "valid integer"),
    ("[sessions]\ndays = 0", "sessions.days", "greater than or equal to 1"),
    ("[sessions]\nhours = 5", "sessions.hours", "unknown key"),
    ("[service]\npublic_url = 'casino.example'", "service.public_url", "an origin is written like"),
    ("[service]\nallowed_origins = ['']", "service.allowed_origins.0", "at least 1"),
    ("[service]\nallowed_origins = ['*']", "service.allowed_origins.0", "an origin is written like"),
    ("[service]\ntrusted_proxies = ['10.0.0.1/8']", "service.trusted_proxies.0", "a network is written like"),
    ("[metrics]\nallowed_from = ['everybody']", "metrics.allowed_from.0", "a network is written like"),
    ("[cashier]\namount_min = 0", "cashier.amount_min", "greater than or equal to 1"),
    ("[cashier]\namount_max = 1.5", "cashier.amount_max", "valid integer"),
    ("[cashier]\namount_min = 6\namount_max = 5", "cashier", "amount_max: it must not be below"),
    ("[cashier]\nprovider_secret = 'short'", "cashier.provider_secret", "at least 32"),
    ("[cashier]\nprovider = 'x'", "cashier.provider", "input should be 'embedded'"),
    ("[policy]\nurl = 'javascript:alert(1)'", "policy.url", "an origin is written like"),
    ("[[policy.help_lines]]\ncountry = 'Denmark'\nname = 'x'", "policy.help_lines.0.country", "match pattern"),
    ("service = 5", "service", "valid dictionary"),
    ("secret_key = 5", "secret_key", "valid string"),
]


@pytest.mark.parametrize(("written", "key", "reason"), REFUSED)
def test_mistake_is_reported_with_file_key_and_reason(folder: Folder, written: str, key: str, reason: str) -> None:
    file = folder.service_file(written)
    [line] = folder.refusal()
    assert line.startswith(f"{file}: {key}: ")
    assert reason in line


def test_without_a_file_everything_has_a_default(folder: Folder) -> None:
    config = folder.load().casino
    assert (config.service.host, config.service.port, config.service.currency) == ("127.0.0.1", 8080, "EUR")
    assert config.database.url.startswith("sqlite")
    assert (config.guests.enabled, config.guests.credit, config.guests.currency) == (True, 100_000, "FUN")
    assert config.rates.guests_per_minute == 100
    assert config.redis.url == ""
    assert config.secret_key is None


def test_a_file_changes_only_what_it_names(folder: Folder) -> None:
    folder.service_file("[service]\nport = 9000\ncurrency = 'DKK'\n[guests]\nenabled = false")
    config = folder.load().casino
    assert (config.service.host, config.service.port, config.service.currency) == ("127.0.0.1", 9000, "DKK")
    assert (config.guests.enabled, config.guests.credit) == (False, 100_000)


def test_nothing_changes_after_loading(folder: Folder) -> None:
    config = folder.load().casino
    with pytest.raises(ValueError, match="frozen"):
        config.service = config.service
    with pytest.raises(ValueError, match="frozen"):
        config.service.port = 1


def test_environment_overrides_the_file(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.service_file("secret_key = 'from the file alone'\n[database]\nurl = 'file-url'\n[redis]\nurl = 'file-redis'")
    monkeypatch.setenv("CASINO_DATABASE_URL", "postgresql+asyncpg://db/casino")
    monkeypatch.setenv("CASINO_REDIS_URL", "redis://cache")
    monkeypatch.setenv("CASINO_SECRET_KEY", "from the environment")
    config = folder.load().casino
    assert config.database.url == "postgresql+asyncpg://db/casino"
    assert config.redis.url == "redis://cache"
    assert config.secret_key is not None
    assert config.secret_key.get_secret_value() == "from the environment"


def test_the_environment_may_set_any_key_and_leaves_its_neighbours(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.service_file("[service]\nhost = '0.0.0.0'\nport = 9000")
    monkeypatch.setenv("CASINO_SERVICE_PORT", "9001")
    monkeypatch.setenv("CASINO_GUESTS_ENABLED", "false")
    monkeypatch.setenv("CASINO_SERVICE_ALLOWED_ORIGINS", '["https://example.org"]')
    config = folder.load().casino
    assert (config.service.host, config.service.port) == ("0.0.0.0", 9001)  # noqa: S104
    assert config.service.allowed_origins == ["https://example.org"]
    assert config.guests.enabled is False


@pytest.mark.parametrize(
    ("setting", "key", "reason"),
    [
        ("CASINO_SERVICE_PORT=eighty", "service.port", "valid integer"),
        ("CASINO_SERVICE_PORT=8080.5", "service.port", "valid integer"),
        ("CASINO_SERVICE_PORTS=8080", "service.ports", "unknown key"),
        ("CASINO_SERVICE=8080", "service", "valid dictionary"),
        ("CASINO_SERVICE={", "service", "valid dictionary"),
        ("CASINO_SERVICE_ALLOWED_ORIGINS=https://example.org", "service.allowed_origins", "valid list"),
        ("CASINO_GUESTS_CURRENCY=play money", "guests.currency", "three capital letters"),
    ],
)
def test_invalid_environment_variable_is_reported_by_its_name(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, setting: str, key: str, reason: str
) -> None:
    folder.service_file("[service]\nhost = 'localhost'")
    variable, _, value = setting.partition("=")
    monkeypatch.setenv(variable, value)
    [line] = folder.refusal()
    assert line.startswith(f"environment variable {variable}: {key}: ")
    assert reason in line


def test_an_empty_environment_variable_says_nothing(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.service_file("[database]\nurl = 'file-url'")
    for variable in ("CASINO_DATABASE_URL", "CASINO_SERVICE_PORT", "CASINO_SECRET_KEY"):
        monkeypatch.setenv(variable, "")
    config = folder.load().casino
    assert (config.database.url, config.service.port, config.secret_key) == ("file-url", 8080, None)


def test_the_secret_key_is_never_shown(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "hush-hush-hush-hush"  # noqa: S105
    monkeypatch.setenv("CASINO_SECRET_KEY", secret)
    settings = folder.load()
    shown = (settings, settings.casino, settings.casino.secret_key, settings.casino.model_dump(), vars(settings.casino))
    for text in (form(thing) for form in (str, repr) for thing in shown):
        assert secret not in text
    assert secret not in settings.casino.model_dump_json()

    folder.service_file("[service]\nport = 'x'")
    assert secret not in "".join(folder.refusal())


@pytest.mark.parametrize("written", ["secret_key = ['hush-hush']", "secret_key = { key = 'hush-hush' }"])
def test_a_secret_key_of_the_wrong_type_is_refused_without_showing_it(folder: Folder, written: str) -> None:
    folder.service_file(written)
    [line] = folder.refusal()
    assert "secret_key: input should be a valid string" in line
    assert "hush" not in line


def test_the_folder_shipped_with_the_service_says_the_defaults(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = load_settings(Path(__file__).parents[2] / "config")
    monkeypatch.chdir(folder.path)
    assert shipped.casino.cashier.provider == "embedded", "play money for real currencies is named explicitly"
    cashier = shipped.casino.cashier.model_copy(update={"provider": None})
    assert shipped.casino.model_copy(update={"cashier": cashier}).model_dump() == ServiceSettings().model_dump()
    first, live, seven_seats = shipped.tables
    folder.table(f'id = "{first.id}"\nname = "{first.name}"')
    assert folder.load().tables == (first,)
    assert (live.dealing, live.hands) == ("presenter", "shared")
    assert (seven_seats.dealing, seven_seats.hands, seven_seats.seats) == ("auto", "own", 7)
