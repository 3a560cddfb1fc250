"""Findings: how they are counted and worded."""

from casino.verify.findings import FAULTS_NAMED_MAX, Check, Findings


def test_check_without_a_fault_is_one_line() -> None:
    assert Check("postings", "all right", counted=1_234).lines == ["ok      1,234 postings: all right"]


def test_faults_are_listed_up_to_a_limit() -> None:
    check = Check("postings", "all right")
    for number in range(FAULTS_NAMED_MAX + 1_500):
        check.fault(f"posting {number}/0: wrong")
    assert not check.is_ok
    assert check.lines[0] == "BROKEN  postings: posting 0/0: wrong"
    assert len(check.lines) == FAULTS_NAMED_MAX + 1
    assert check.lines[-1] == "BROKEN  postings: 1,500 more"


def test_findings_are_in_order_only_if_every_check_is() -> None:
    findings = Findings()
    assert findings.is_ok
    findings.seats.fault("seat r1/ann: it is missing")
    assert not findings.is_ok
