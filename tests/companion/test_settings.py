"""Settings: defaults, commented file, clear errors, whole or nothing."""

import tomllib
from pathlib import Path

import msgspec
import pytest

from companion.settings import Lights, Settings, SettingsError, Table, describe, from_tree, load, save, to_toml


def test_a_missing_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml") == Settings()


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.toml"
    changed = Settings(table=Table(camera='usb:"0"\\ünï'), lights=Lights(count=150, brightness=0.5))
    save(Settings(), path)
    save(changed, path)
    assert load(path) == changed
    assert load(path.with_suffix(".toml.previous")) == Settings()
    assert sorted(p.name for p in path.parent.iterdir()) == ["settings.toml", "settings.toml.previous"]


def test_every_field_is_described_in_the_file() -> None:
    text = to_toml(Settings())
    tree = tomllib.loads(text)
    assert from_tree(tree, "x") == Settings()
    for group_name, group in msgspec.structs.asdict(Settings()).items():
        for name in group.__struct_fields__:
            meaning, _ = describe(type(group), name)
            assert len(meaning) > 10, f"{group_name}.{name} has no description"
            assert meaning in text


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({"lights": {"brightness": 2}}, r"brightness.*lights|lights.*brightness|<= 1"),
        ({"lights": {"colour": 1}}, "colour"),
        ({"page": {"port": "http"}}, r"page\.port"),
        ({"table": {"language": "de"}}, "language"),
    ],
)
def test_errors_name_the_field(tree: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        from_tree(tree, "settings.toml")


def test_broken_files_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("port = = 1")
    with pytest.raises(SettingsError, match="not valid TOML"):
        load(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="cannot be read"):
        load(path)
    with pytest.raises(SettingsError, match="cannot be read"):
        load(tmp_path)
