"""`python -m tests.playthroughs` writes the golden games anew; review the difference before committing it."""

from __future__ import annotations

from pathlib import Path

from tests.playthroughs.games import TABLES, play

FOLDER = Path(__file__).parent / "ice"


def main() -> None:
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for name, table in TABLES.items():
        lines = list(play(table))
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")
        print(f"{name}: {len(lines) // 2 - 1} actions")


if __name__ == "__main__":
    main()
