"""Configuration folder as a whole: files that are read, unreadable ones, and all errors at once."""

from pathlib import Path

import pytest

from casino.settings import ConfigurationError, load_settings
from tests.settings.conftest import TABLE, Folder


def test_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as refused:
        load_settings(tmp_path / "nowhere")
    assert str(refused.value) == f"{tmp_path / 'nowhere'}: there is no such folder"


def test_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "config").write_text(TABLE)
    with pytest.raises(ConfigurationError, match="there is no such folder"):
        load_settings(tmp_path / "config")


NOT_TOML = [
    (b"port", "not a TOML file"),
    (b"id = 'a'\nid = 'b'\n", "not a TOML file"),
    (b"[service\n", "not a TOML file"),
    (b"{}", "not a TOML file"),
    (b"name = '\xff'", "not a TOML file: 'utf-8' codec"),
    (b"name = '\0'", "not a TOML file"),
    (b"\xff\xfei\0d\0", "not a TOML file"),
]


@pytest.mark.parametrize(("content", "reason"), NOT_TOML)
def test_table_file_that_is_not_toml_is_reported(folder: Folder, content: bytes, reason: str) -> None:
    file = folder.table(content)
    [line] = folder.refusal()
    assert line.startswith(f"{file}: {reason}")


@pytest.mark.parametrize(("content", "reason"), NOT_TOML)
def test_service_file_that_is_not_toml_is_reported(folder: Folder, content: bytes, reason: str) -> None:
    file = folder.service_file(content)
    [line] = folder.refusal()
    assert line.startswith(f"{file}: {reason}")


def test_unreadable_table_file_is_reported(folder: Folder) -> None:
    (folder.path / "tables" / "uth-1.toml").mkdir()
    assert folder.refusal() == [f"{folder.path / 'tables' / 'uth-1.toml'}: cannot be read: Is a directory"]


def test_two_tables_cannot_have_one_id(folder: Folder) -> None:
    first = folder.table(TABLE, "a.toml")
    folder.table('id = "uth-2"\nname = "Table 2"', "b.toml")
    third = folder.table(TABLE, "c.toml")
    fourth = folder.table(TABLE, "d.toml")
    assert folder.refusal() == [f"{file}: id: uth-1 is the table of {first} already" for file in (third, fourth)]


def test_errors_of_all_files_are_reported_together(folder: Folder) -> None:
    config = folder.service_file("[service]\nport = 'x'\nhost = 5")
    one = folder.table(
        TABLE + "colour = 1\n[limits]\nante_min = -1\n[paytable]\nblind = { flush = '3/2', flsh = '1:1' }"
    )
    two = folder.table("id = 1\nname = 5", "z.toml")
    output = [line.rpartition(": ")[0] for line in folder.refusal()]
    assert sorted(output) == sorted(
        [
            f"{config}: service.host",
            f"{config}: service.port",
            f"{one}: colour",
            f"{one}: limits.ante_min",
            f"{one}: paytable.blind.flsh",
            f"{one}: paytable.blind.flush",
            f"{two}: id",
            f"{two}: name",
        ]
    )


def test_service_may_have_no_table(folder: Folder) -> None:
    (folder.path / "tables").rmdir()
    settings = folder.load()
    assert settings.tables == ()
    assert settings.table(None) is None
    assert settings.table("uth-1") is None


def test_tables_are_in_the_order_of_their_files(folder: Folder) -> None:
    for number in (2, 1, 3):
        folder.table(f'id = "uth-{number}"\nname = "Table"', f"{number}.toml")
    settings = folder.load()
    assert [table.id for table in settings.tables] == ["uth-1", "uth-2", "uth-3"]
    assert settings.table(None) == settings.tables[0]
    assert settings.table("uth-3") == settings.tables[2]
    assert settings.table("uth-4") is None


def test_only_toml_files_are_tables(folder: Folder) -> None:
    folder.table(TABLE)
    for name in ("README.md", "uth-2.toml.bak", ".hidden"):
        folder.table("not a table", name)
    assert len(folder.load().tables) == 1


@pytest.mark.parametrize("content", ["x = " + "[" * 5000, "x = " + "9" * 5000])
@pytest.mark.parametrize("which", ["service_file", "table"])
def test_unreadable_file_is_reported_in_a_sentence(folder: Folder, which: str, content: str) -> None:
    file = getattr(folder, which)(content)
    [line] = folder.refusal()
    assert str(file) in line


def test_something_else_in_the_place_of_a_file_is_not_overlooked(folder: Folder) -> None:
    (folder.path / "casino.toml").symlink_to("nowhere")
    assert any("casino.toml" in line for line in folder.refusal())


def test_something_else_in_the_place_of_the_tables_is_not_overlooked(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("")
    with pytest.raises(ConfigurationError, match="tables"):
        load_settings(tmp_path)
