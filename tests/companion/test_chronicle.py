"""Games told from their journal."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from companion.answers import game_of
from companion.chronicle import Archive
from companion.journal import ActionKept, ActionTaken, Corrected, Flagged, GameClosed, GameStarted, Journal, Undone
from companion.pretend_players import shuffled_tiles
from engine.game import TABLE
from engine.games.ice import actions as a
from engine.games.ice.options import Options
from engine.games.ice.position import read_position, write_position
from engine.games.ice.state import OVER, State
from engine.games.ice.tally import tally
from engine.sayings import Saying, english
from tests.companion.web.played import BEGAN, play_into


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Archive, list[State]]:
    path = tmp_path_factory.mktemp("games") / "journal.sqlite"
    return Archive(path), play_into(path)


def test_a_whole_game_comes_back_with_its_score(whole: tuple[Archive, list[State]]) -> None:
    archive, states = whole
    game = archive.game(1)
    assert game.is_over
    assert states[-1].phase == OVER
    assert list(game.states) == states
    box = game.game.box
    totals = [tally(states[-1], seat, box.options, box.data.requests).total.least for seat in (0, 1)]
    assert game.score_by_day[4] == totals
    assert sorted(game.score_by_day) == [1, 2, 3, 4]
    summary = game.summary()
    assert summary["state"] == "over"
    assert summary["winners"] == [guild for guild, own in zip(game.guilds, totals, strict=True) if own == max(totals)]


def test_ep_and_digs_add_up(whole: tuple[Archive, list[State]]) -> None:
    game = whole[0].game(1)
    digs = [game.action(i) for i in range(len(game.steps)) if isinstance(game.action(i), a.Excavate)]
    assert digs
    assert len(game.digs) == len({dig.place for dig in digs})
    for seat in (0, 1):
        spent = sum(kind[seat] for kind in game.ep_by_kind.values())
        other = 0  # what came and went without the seat's own doing: sunrises, gains, losses
        for index, (before, after) in enumerate(pairwise(game.states)):
            change = after.seats[seat].ep - before.seats[seat].ep
            own = game.action(index).by == seat and before.day == after.day
            other += max(change, 0) if own else change
        assert spent > 0
        assert game.states[0].seats[seat].ep + other - spent == game.states[-1].seats[seat].ep


def test_every_step_has_words_and_a_row(whole: tuple[Archive, list[State]]) -> None:
    game = whole[0].game(1)
    rows = game.rows()
    assert len(rows) == len(game.steps) + 1
    assert {len(row) for row in rows} == {9}
    assert all(isinstance(game.say(i), Saying) for i in range(len(game.steps)))


def test_corrections_house_rulings_and_undo(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    states = play_into(path, most=12)
    journal = Journal(path)
    position = write_position(states[-1], Archive(path).game(1).game.box.options)
    position["day"] = 3
    journal.append(1, Corrected(position, "the day was wrong"), BEGAN + 1000)
    journal.append(1, Flagged("R-EP-1", "x"), BEGAN + 1001)
    journal.append(1, ActionKept("navigators end", "R-EP-1"), BEGAN + 1002)
    archive = Archive(path)
    game = archive.game(1)
    assert (game.states[13].day, game.flags, len(game.steps)) == (3, 1, 14)
    assert game.states[13] == read_position(position)[0]
    assert game.say(12).text == "Corrected by the players"
    assert game.say(13).text == "{what} (house ruling)"
    journal.append(1, Undone(), BEGAN + 1003)
    assert len(archive.game(1).steps) == 13
    assert archive.game(1).times[-1] == BEGAN + 1000
    journal.close()


def test_a_game_under_way_keeps_its_secrets(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    game = game_of(Options(players=2), ("navigators", "incandescents"))
    state = game.start(*shuffled_tiles(random.Random(1)))
    while not isinstance(game.legal_actions(state)[0], a.DealRequests):
        state = game.apply(state, game.legal_actions(state)[0])
    cards = ("prismatic-2", "anima-3-obliteration-harmony-philosophical", "shapes-achievement")
    dealt = (*cards, "either-2-harmony-exalted", "different-2-obliteration-exalted-philosophical")
    journal = Journal(path)
    journal.start(GameStarted("ice", write_position(state, game.box.options)), BEGAN)
    for action in (a.DealRequests(TABLE, 0, dealt), a.KeepRequests(0, cards)):
        assert game.why_illegal(state, action) is None
        state = game.apply(state, action)
        journal.append(1, ActionTaken(game.format(action)), BEGAN)
    archive = Archive(path)
    told = str(archive.game(1).told()) + str(archive.game(1).rows())
    assert not any(card in told for card in dealt)
    journal.append(1, GameClosed("discarded"), BEGAN + 1)
    journal.close()
    assert all(card in str(archive.game(1).told()) for card in dealt)


def test_no_journal_no_games(tmp_path: Path) -> None:
    assert Archive(None).numbers() == []
    assert Archive(tmp_path / "none.sqlite").summaries() == []
    for archive in (Archive(None), Archive(tmp_path / "none.sqlite")):
        with pytest.raises(KeyError):
            archive.game(1)
    assert not (tmp_path / "none.sqlite").exists()


def test_the_final_pad_has_every_line_and_adds_up(whole: tuple[Archive, list[State]]) -> None:
    pad = whole[0].game(1).told()["pad"]
    names = [english(name) if isinstance(name, Saying) else name for name, *_ in pad[1:]]
    assert [name.split(":")[0] for name in names] == [
        "Decree", "Decree", "Decree", "Requests of day 2", "Requests of day 3", "Requests of day 4",
        "Two requests on day 2", "Two requests on day 3", "RP tokens", "Planning token", "Total",
    ]  # fmt: skip
    for column in (1, 2):
        parts = [int(row[column].rstrip("+").split("-")[0]) for row in pad[1:]]
        assert sum(parts[:-1]) == parts[-1]
