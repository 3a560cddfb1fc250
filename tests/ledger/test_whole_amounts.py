"""Integer amounts: no float in the source of modules that move money, nor in any column that stores it."""

# ruff: noqa: S608

import ast
from pathlib import Path

import pytest
from sqlalchemy import BigInteger, text
from sqlalchemy.exc import DBAPIError

import casino
from casino.storage import schema
from casino.storage.database import Database
from tests.live_table.stored_rounds import fill_purses

PACKAGE = Path(casino.__file__).parent
MONEY_MODULES = sorted(
    str(file.relative_to(PACKAGE))
    for pattern in (
        *("money.py", "ledger/*.py", "users/credit.py", "storage/bulk.py", "storage/schema.py"),
        *("cashier/payments.py", "responsible_gaming/*.py"),
        *("live_table/postings.py", "live_table/batch.py", "live_table/accounting.py", "live_table/recovery.py"),
        *("uth/bets.py", "uth/betting.py", "uth/paytable.py", "uth/results.py", "uth/settlement.py", "uth/state.py"),
    )
    for file in PACKAGE.glob(pattern)
)
MONEY_COLUMNS = [
    (schema.accounts, "balance"),
    (schema.accounts, "held"),
    (schema.postings, "amount"),
    (schema.holds, "amount"),
    (schema.payments, "amount"),
    (schema.play_days, "staked"),
    (schema.play_days, "returned"),
]


FRACTIONAL = {"math", "decimal", "numpy", "statistics"}


def faults(source: str) -> list[str]:
    """Every place where a fraction could come from."""
    found = []
    for node in ast.walk(ast.parse(source)):
        is_float = isinstance(node, ast.Constant) and isinstance(node.value, float | complex)
        is_division = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
        is_named = isinstance(node, ast.Name) and node.id in {"float", "Decimal"}
        is_rounded = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "round"
        is_imported = isinstance(node, ast.alias) and node.name.split(".")[0] in {
            "math",
            "decimal",
            "numpy",
            "statistics",
        }
        is_from = isinstance(node, ast.ImportFrom) and node.module in {"math", "decimal", "numpy", "statistics"}
        if is_float or is_division or is_named or is_rounded or is_imported or is_from:
            found.append(ast.unparse(node))
    return found


@pytest.mark.req("LED-1")
@pytest.mark.parametrize("module", MONEY_MODULES)
def test_no_module_that_moves_money_has_a_float_in_its_source(module: str) -> None:
    assert faults((PACKAGE / module).read_text()) == []


@pytest.mark.parametrize("source", ["x = 0.5", "x = a / b", "x /= 2", "float(x)", "round(x)", "import math", "1j"])
def test_a_float_in_a_source_is_found(source: str) -> None:
    assert faults(source)


def test_all_modules_of_the_ledger_are_read() -> None:
    assert len(MONEY_MODULES) > 15
    assert {"money.py", "ledger/book.py", "ledger/posting.py", "live_table/postings.py"} <= set(MONEY_MODULES)


@pytest.mark.req("LED-1")
def test_every_column_of_money_is_a_64_bit_integer() -> None:
    for table, column in MONEY_COLUMNS:
        assert isinstance(table.c[column].type, BigInteger)


async def kept_after(database: Database, statement: str) -> set[type]:
    """What kinds of value the columns of money hold after the statement, which is then undone."""
    async with database.writing() as connection:
        attempt = await connection.begin_nested()
        try:
            await connection.execute(text(statement))
        except DBAPIError:
            await attempt.rollback()
        kept = {type(n) for row in await connection.execute(text("SELECT balance, held FROM accounts")) for n in row}
        kept |= {type(row.amount) for row in await connection.execute(text("SELECT amount FROM postings"))}
        if attempt.is_active:
            await attempt.rollback()
    return kept


@pytest.mark.req("LED-1")
async def test_database_keeps_nothing_but_whole_numbers_of_64_bits(database: Database) -> None:
    """PostgreSQL rounds a written fraction before it looks at the column; SQLite needs a constraint."""
    await fill_purses(database)
    for value in ("0.5", "'abc'", "9223372036854775808", "1e30", "NULL"):
        for statement in (
            f"UPDATE accounts SET balance = {value} WHERE id = 'cashier:EUR'",
            f"UPDATE accounts SET balance = balance + {value}, held = held + {value} WHERE id = 'player:ann:cash'",
            f"INSERT INTO accounts (id, kind, currency, balance) VALUES ('house:XXX', 'house', 'XXX', {value})",
            f"INSERT INTO postings VALUES (1, 7, 'cashier:EUR', 'player:ann:cash', {value}, 'EUR')",
        ):
            assert await kept_after(database, statement) == {int}, statement


@pytest.mark.req("LED-1")
async def test_sum_beyond_64_bits_is_refused(database: Database) -> None:
    await fill_purses(database)
    with pytest.raises(DBAPIError):
        async with database.writing() as connection:
            await connection.execute(text("UPDATE accounts SET balance = balance + 9223372036854775807"))
