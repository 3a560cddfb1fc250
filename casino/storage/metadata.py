"""Metadata all tables of the schema share: names of constraints, and the type of row numbers."""

from sqlalchemy import BigInteger, Integer, MetaData

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
