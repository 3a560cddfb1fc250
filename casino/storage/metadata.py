"""Definitions that tables of the schema share: names of constraints, row numbers, and decisions of two people."""

from sqlalchemy import BigInteger, CheckConstraint, Integer, MetaData

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite assigns row numbers only to a plain INTEGER primary key; PostgreSQL needs 64 bits.
Serial = BigInteger().with_variant(Integer(), "sqlite")


def decided_by_two_people(first: str) -> tuple[CheckConstraint, ...]:
    """Returns the checks of a proposal: another person than the one in column `first` approves it."""
    return (
        CheckConstraint("status IN ('open', 'approved', 'rejected')", name="status_is_known"),
        CheckConstraint(
            "(status = 'open') = (decided_by IS NULL) AND (status = 'open') = (decided_ms IS NULL)",
            name="decided_by_somebody",
        ),
        CheckConstraint(f"status <> 'approved' OR decided_by <> {first}", name="approved_by_a_second_person"),
    )
