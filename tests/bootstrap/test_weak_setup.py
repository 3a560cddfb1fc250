"""Start-up warnings: weak set-ups are logged, sound ones are not."""

import pytest

from casino.bootstrap.weak_setup import weaknesses
from casino.settings import ServiceSettings
from casino.settings.service import Metrics, Service


def warned(host: str, *, service: Service | None = None, metrics: Metrics | None = None) -> list[str]:
    changed = {"service": service or Service(), "metrics": metrics or Metrics()}
    return list(weaknesses(ServiceSettings().model_copy(update=changed), host))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.0.0.9"])
def test_own_machine_needs_no_public_address(host: str) -> None:
    assert warned(host) == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "casino.example"])  # noqa: S104
def test_public_address_without_encryption_is_warned_of(host: str) -> None:
    (warning,) = warned(host)
    assert "service.public_url" in warning
    assert host in warning
    (warning,) = warned(host, service=Service(public_url="http://casino.example"))
    assert "not https" in warning
    assert warned(host, service=Service(public_url="https://casino.example")) == []


def test_trusting_every_address_is_warned_of() -> None:
    warning = warned("::1", service=Service(trusted_proxies=["0.0.0.0/0"]), metrics=Metrics(allowed_from=["::/0"]))
    assert ["trusted_proxies" in warning[0], "allowed_from" in warning[1]] == [True, True]
