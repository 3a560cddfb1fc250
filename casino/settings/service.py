"""Settings of `casino.toml`: the service as a whole.

Environment variables named `CASINO_SECTION_KEY` override the file, for instance `CASINO_DATABASE_URL`.
"""

from ipaddress import ip_network
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from casino.money import MINOR_MAX
from casino.security.origins import origin_of
from casino.settings.base import Section


def _currency_code(code: str) -> str:
    if len(code) != 3 or not (code.isascii() and code.isalpha() and code.isupper()):
        raise ValueError("a currency is three capital letters, such as EUR")
    return code


PRACTICE_CURRENCY: Final = "XTS"
"""The code that the standard keeps for testing: no wallet of a person has it."""

Currency = Annotated[str, AfterValidator(_currency_code)]


def _web_address(url: str) -> str:
    if url:
        origin_of(url)
    return url


def _network(text: str) -> str:
    try:
        ip_network(text)
    except ValueError:
        raise ValueError("a network is written like 10.0.0.0/8, ::1/128 or 192.0.2.7") from None
    return text


WebAddress = Annotated[str, AfterValidator(_web_address)]
Network = Annotated[str, AfterValidator(_network)]


Seconds = Annotated[float, Field(gt=0, le=3600)]


class Service(Section):
    """`trusted_proxies` are believed when they say, in X-Forwarded-For, whom they speak for; `stop_seconds` is how
    long rounds whose betting is closed may take to finish when the service receives a stop signal."""

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    public_url: WebAddress = ""
    allowed_origins: list[Annotated[WebAddress, Field(min_length=1)]] = Field(default_factory=list)
    trusted_proxies: list[Network] = Field(default_factory=list)
    currency: Currency = "EUR"
    stop_seconds: Seconds = 60.0


class Database(Section):
    url: str = "sqlite+aiosqlite:///data/casino.db"


class Redis(Section):
    """Accepted without effect: one process serves all tables until they can be spread over several."""

    url: str = ""


class Guests(Section):
    """Visitors without an account, and the play money they get. After `keep_days` an inactive guest is archived."""

    enabled: bool = True
    credit: int = Field(default=100_000, ge=0, le=MINOR_MAX)
    currency: Currency = "FUN"
    keep_days: Annotated[int, Field(ge=1, le=3650)] = 30


class Cashier(Section):
    """Bounds of one deposit or withdrawal; how much play money a guest may have by topping up; the payment provider
    for real money (`embedded` moves none: every payment succeeds at once); and the secret with which a provider signs
    its notifications. A credit above `credit_alone_max` (minor units) needs two people; None: one is enough."""

    amount_min: int = Field(default=1, ge=1, le=MINOR_MAX)
    amount_max: int = Field(default=100_000_000, ge=1, le=MINOR_MAX)
    credit_alone_max: Annotated[int, Field(ge=0, le=MINOR_MAX)] | None = None
    guest_balance_max: int = Field(default=1_000_000, ge=0, le=MINOR_MAX)
    provider: Literal["embedded"] | None = None
    provider_secret: Annotated[SecretStr, Field(min_length=32)] | None = None

    @model_validator(mode="after")
    def _some_amount_is_possible(self) -> Self:
        if self.amount_max < self.amount_min:
            raise ValueError("amount_max: it must not be below amount_min")
        return self


Count = Annotated[int, Field(ge=1, le=100_000)]
Days = Annotated[int, Field(ge=1, le=3650)]


class Chat(Section):
    """Lines of the chat, blocked ones included, are stored for `keep_days`, then deleted."""

    keep_days: Days = 90


class Rates(Section):
    """How much one address may ask for, and how many connections it may have without a session; how fast one account
    may ask over HTTP; how many wrong passwords one name takes, wherever they come from; and how many bets, decisions
    and the like, and how many lines and tips, one account may send over all its connections."""

    requests_per_second: Count = 500
    account_requests_per_second: Count = 50
    guests_per_minute: Count = 100
    registrations_per_minute: Count = 30
    sign_ins_per_minute: Count = 100
    wrong_passwords_per_minute: Count = 10
    sockets_per_address: Count = 500
    sockets_from_loopback: Count = 2000
    unauthenticated_per_address: Count = 128
    plays_per_5_seconds: Count = 40
    lines_per_30_seconds: Count = 5


class Sockets(Section):
    """Interval of heartbeats on a connection, and the time to answer one: then the connection counts as dead."""

    ping_seconds: Seconds = 10.0
    pong_seconds: Seconds = 5.0


class Sessions(Section):
    """How long a user stays signed in without activity, and how long at most; staff sign in for a shift. Staff of
    `second_factor_roles` must use a second factor; a member without one can only enrol."""

    days_unused: Days = 30
    days: Days = 90
    staff_hours: int = Field(default=12, ge=1, le=72)
    second_factor_roles: list[Literal["presenter", "manager", "finance", "admin"]] = Field(default_factory=list)


class Metrics(Section):
    """Access to the metrics of the running service. Requests through a proxy never have it."""

    allowed_from: list[Network] = Field(default_factory=lambda: ["127.0.0.0/8", "::1/128"])


class Anchors(Section):
    """Where the heads of the signed chains are recorded outside the database: an append-only file (without a name, in
    a folder of its own beside the configured database), and an address that each is sent to, if there is one."""

    file: str = ""
    webhook: WebAddress = ""


class Alerts(Section):
    """An address that is called when a table stays stopped longer than `stopped_seconds`; empty: none is."""

    webhook: WebAddress = ""
    stopped_seconds: Seconds = 60.0


class HelpLine(Section):
    """An organisation that helps players, with the country it works in; `ZZ` helps everywhere."""

    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    name: Annotated[str, Field(min_length=1, max_length=80)]
    phone: Annotated[str, Field(pattern=r"^[0-9 +()-]{0,30}$")] = ""
    url: WebAddress = ""


_HELP_LINES: Final = (
    HelpLine(country="DK", name="StopSpillet", phone="70 22 28 25", url="https://www.stopspillet.dk"),
    HelpLine(
        country="FR", name="Joueurs Info Service", phone="09 74 75 13 13", url="https://www.joueurs-info-service.fr"
    ),
    HelpLine(country="GB", name="GamCare", phone="0808 8020 133", url="https://www.gamcare.org.uk"),
    HelpLine(country="ZZ", name="Gambling Therapy", url="https://www.gamblingtherapy.org"),
)


class Policy(Section):
    """Operator shown on the responsible-gaming page: name, full policy, and help lines by country."""

    operator: Annotated[str, Field(max_length=80)] = ""
    url: WebAddress = ""
    help_lines: list[HelpLine] = Field(default_factory=lambda: list(_HELP_LINES))


class Environment(EnvSettingsSource):
    """What is not the JSON a list or a section is written in goes on as text, to be refused under its own name."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: object) -> object:
        try:
            return super().decode_complex_value(field_name, field, value)
        except ValueError:
            return value


class ServiceSettings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="CASINO_",
        env_ignore_empty=True,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        extra="forbid",
        strict=True,
        frozen=True,
    )

    service: Service = Service()
    database: Database = Database()
    redis: Redis = Redis()
    guests: Guests = Guests()
    cashier: Cashier = Cashier()
    chat: Chat = Chat()
    rates: Rates = Rates()
    sockets: Sockets = Sockets()
    sessions: Sessions = Sessions()
    metrics: Metrics = Metrics()
    anchors: Anchors = Anchors()
    alerts: Alerts = Alerts()
    policy: Policy = Policy()
    secret_key: Annotated[SecretStr, Field(min_length=1)] | None = None
    secret_key_file: str = ""
    previous_secret_keys: list[SecretStr] = Field(default_factory=list)

    @model_validator(mode="after")
    def _play_money_is_not_money(self) -> Self:
        if self.guests.currency == self.service.currency:
            raise ValueError("guests.currency: play money needs a currency of its own, or totals would mix")
        for key, currency in (("guests", self.guests.currency), ("service", self.service.currency)):
            if currency == PRACTICE_CURRENCY:
                raise ValueError(f"{key}.currency: {currency} is the money of practice tables")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,  # noqa: ARG003  the library passes all its sources by name
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return Environment(settings_cls), TomlConfigSettingsSource(settings_cls)
