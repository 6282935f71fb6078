"""Enrolment: groups for the owner to name, kinds that collide, few prints that stand for all, files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.spots import Spot
from tests.vision.prints import KINDS, draw, make_prints
from vision.enrolment import Enrolment, EnrolmentError, Ground, Print, representatives
from vision.enrolment_file import load_enrolment, save_enrolment
from vision.grouping import find_collisions, name_group, propose_groups, turn_print


def test_turned_tiles_fall_into_one_group_per_kind() -> None:
    prints, _ = make_prints()
    groups = propose_groups(prints, len(KINDS))
    assert sorted(len(g.members) for g in groups) == [4, 4, 4, 4]
    for group in groups:
        assert len({prints[m].kind for m in group.members}) == 1


def test_the_turn_of_one_tile_gives_the_turn_of_its_group() -> None:
    prints, turns = make_prints()
    for group in propose_groups(prints, len(KINDS)):
        kind = prints[group.members[0]].kind
        if kind in ("dot", "plain"):
            continue
        named = name_group(prints, group, kind, rotation=turns[group.members[0]])
        for member in named:
            seen, want = (p[20:52, 20:52].ravel().astype(float) for p in (member.picture, draw(kind, 0)))
            assert kind == "corner" or np.corrcoef(seen, want)[0, 1] > 0.9
            dark = np.argwhere(member.picture.max(axis=2) < 140)
            assert kind == "bar" or np.linalg.norm(dark.mean(axis=0) - (27, 57)) < 6


def test_single_tiles_of_a_group_can_be_corrected() -> None:
    prints, _ = make_prints()
    group = propose_groups(prints, len(KINDS))[0]
    wrong = group.members[2]
    named = name_group(prints, group, "first", corrections={wrong: "other"})
    assert [p.kind for p in named] == ["other" if m == wrong else "first" for m in group.members]


def test_colliding_kinds_are_named_and_clear_ones_are_not() -> None:
    prints = [Print("snow", kind, draw(kind, k)) for k, kind in enumerate(KINDS * 3)]
    assert find_collisions(prints) == ()
    faint = [Print("snow", "faint", draw("plain", 50 + k)) for k in range(3)]
    collisions = find_collisions([*prints, *faint])
    assert [c.kinds for c in collisions] == [("faint", "plain")]
    assert collisions[0].margin < 0.5


def test_representatives_keep_what_differs_and_count_what_they_stand_for() -> None:
    same = [Print("snow", "dot", draw("dot", k)) for k in range(6)]
    other = [Print("snow", "dot", turn_print(draw("bar", 9), 1))]
    chosen = representatives([*same, *other], most=4, near=0.03)
    assert len(chosen) == 2
    assert sorted(p.copies for p in chosen) == [1, 6]


def test_a_file_gives_back_what_was_saved_and_can_be_extended(tmp_path: Path) -> None:
    prints, _ = make_prints(2)
    ground = Ground(Spot("azulia:2,2,3"), draw("plain", 1), 0.7)
    enrolment = Enrolment(tuple(prints), (ground,), {"copy": "mine"})
    path = tmp_path / "mine.npz"
    save_enrolment(enrolment, path)
    loaded = load_enrolment(path)
    assert [(p.layer, p.kind, p.blur_mm) for p in loaded.prints] == [(p.layer, p.kind, p.blur_mm) for p in prints]
    assert all(np.array_equal(a.picture, b.picture) for a, b in zip(loaded.prints, prints, strict=True))
    assert loaded.grounds[0].spot == ground.spot
    assert loaded.notes == {"copy": "mine"}
    more = loaded.extend(Enrolment((replace(prints[0], kind="new"),)))
    assert more.kinds("snow")[-1] == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["mine.npz"]


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.npz"
    with pytest.raises(EnrolmentError, match="cannot be read"):
        load_enrolment(path)
    path.write_bytes(b"not an archive")
    with pytest.raises(EnrolmentError, match=r"no\.npz"):
        load_enrolment(path)
    save_enrolment(Enrolment(tuple(make_prints(1)[0])), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(EnrolmentError, match=r"no\.npz"):
        load_enrolment(path)
