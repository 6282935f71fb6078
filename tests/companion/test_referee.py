"""The referee with an ideal camera: whole games, illegal moves, questions, undo, house rulings."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.gamedata import shipped
from companion.journal import ActionKept, ActionTaken, Corrected, Event, Flagged, Undone
from companion.pretend_players import Gesture, PretendPlayers, public_facts, shuffled_tiles
from companion.referee import RESTORING, SETUP, TRACKING, Referee
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, SPOTS
from engine.games.ice.options import Options
from engine.games.ice.position import read_position, write_position
from engine.games.ice.state import State
from engine.sighting import Sighting
from engine.spots import Cue, Spot


def look(game: Ice, state: State) -> Sighting:
    """What an ideal camera sees."""
    seen = ((spot, game.seen_at(state, spot)) for spot in SPOTS)
    return Sighting({Cue(spot, kind): {label: 0.999} for spot, cues in seen for kind, label in cues.items()})


class Table:
    """Pretend players and a referee that looks at their board."""

    def __init__(self, seed: int, players: int = 3) -> None:
        rng = random.Random(seed)
        self.game = Ice(Options(players=players), shipped())
        start = self.game.start(*shuffled_tiles(rng))
        self.people = PretendPlayers(self.game, rng, start)
        self.events: list[Event] = []
        self.referee = Referee(
            self.game, start, self.events.append, lambda p: read_position(p)[0], complain_after_s=0.0, mode=TRACKING
        )
        self.counts: Counter[str] = Counter()
        self.made: tuple[a.Action, ...] = ()

    def watch(self, state: State) -> None:
        self.referee.consider(look(self.game, state), 0.0)

    def play(self) -> Gesture:
        gesture = self.people.gesture()
        self.made = gesture.actions
        if gesture.ends_turn:
            self.referee.press_end_turn()
        else:
            for action in gesture.said_first:
                self.say(action)
            if gesture.is_visible:
                self.watch(gesture.after)
                self.counts["visible"] += 1
        self.answer_all(gesture.after)
        if gesture.is_visible:
            self.watch(gesture.after)
            self.answer_all(gesture.after)
        return gesture

    def say(self, action: a.Action) -> None:
        question = self.referee.question
        if question is not None and (action,) in question.options:
            self.referee.answer(question.number, question.options.index((action,)))
        elif not isinstance(action, a.Reveal | a.DealRequests | a.LayRequests):
            self.referee.declare(self.game.format(self.people.as_known(self.referee.state, action)))

    def answer_all(self, truth: State) -> None:
        while (question := self.referee.question) is not None and question.key in ("which", "reveal", "slot"):
            self.counts["asked"] += 1
            known = [i for i, option in enumerate(question.options) if self.made and set(option) <= set(self.made)]
            fitting = [i for i in range(len(question.options)) if self.would_fit(i, truth)]
            choice = [*fitting, *known, len(question.options)][0]
            self.referee.answer(question.number, choice)
            if choice == len(question.options):
                self.counts["none fits"] += 1
                self.watch(truth)

    def would_fit(self, choice: int, truth: State) -> bool:
        question = self.referee.question
        assert question is not None
        state = self.referee.states[-1 - question.undo_first]
        for action in question.options[choice]:
            state = self.game.apply(state, action)
        return public_facts(state) == public_facts(truth)

    def start(self) -> None:
        while self.people.truth.phase == "setup":
            self.play()


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_a_whole_game_is_followed(players: int, seed: int) -> None:
    table = Table(seed, players)
    table.start()
    while not table.people.over:
        gesture = table.play()
        lines = [table.game.format(action) for action in gesture.actions]
        assert table.referee.refusal is None, lines
        is_right = public_facts(table.referee.state) == public_facts(gesture.after)
        assert is_right, (lines, table.events[-6:], table.referee.question)
    assert table.counts["visible"] > 20
    assert table.counts["none fits"] == 0
    assert not any(isinstance(event, Flagged) for event in table.events)


def test_illegal_moves_are_flagged_with_their_rule_and_forgiven_when_put_back() -> None:
    flagged = Counter[str]()
    for seed in range(3):
        table = Table(seed)
        table.start()
        for _ in range(60):
            table.play()
            if table.people.over:
                break
            wrong = table.people.mischief()
            if wrong is None or table.referee.question is not None:
                continue
            action, violation, board = wrong
            belief = table.referee.state
            table.watch(board)
            table.answer_all(board)
            refusal = table.referee.refusal
            assert refusal is not None, (table.game.format(action), table.events[-4:], table.referee.question)
            assert table.referee.mode == RESTORING
            assert refusal.violation is not None, table.game.format(action)
            assert refusal.violation.rule == violation.rule, table.game.format(action)
            assert table.referee.state == belief
            flagged[violation.rule] += 1
            table.watch(table.people.truth)
            assert table.referee.refusal is None
            assert table.referee.mode == TRACKING
            assert table.referee.state == belief
    assert len(flagged) >= 6, flagged


def moved_table() -> tuple[Table, State, State]:
    """A table where the active leader has camp and company and walks to a neighbour with one archaeologist."""
    table = Table(11)
    table.start()
    game, state = table.game, table.people.truth
    camp = next(x for x in game.legal_actions(state) if isinstance(x, a.BuildCamp) and SPOTS[x.place] == "snow:5,3,2")
    state = game.apply(state, camp)
    state = game.apply(state, a.Recruit(state.active, INDEX[Spot("snow:5,3,2")]))
    state = replace(state, spent=0)
    table.events.clear()
    table.referee = Referee(
        game, state, table.events.append, lambda p: read_position(p)[0], complain_after_s=0.0, mode=TRACKING
    )
    return table, state, game.apply(state, walk(game, state, 1))


def walk(game: Ice, state: State, company: int) -> a.Move:
    moves = (x for x in game.legal_actions(state) if isinstance(x, a.Move) and x.archaeologists == company)
    return next(move for move in moves if not state.archaeologists[move.place])


def test_pieces_that_follow_later_change_the_understanding() -> None:
    table, before, after = moved_table()
    game = table.game
    alone = game.apply(before, walk(game, before, 0))
    table.watch(alone)
    assert table.referee.state == alone
    table.watch(after)
    assert table.referee.state == after
    assert [type(event) for event in table.events] == [ActionTaken, Undone, ActionTaken]


def test_a_put_back_is_an_undo() -> None:
    table, before, after = moved_table()
    table.watch(after)
    assert table.referee.state == after
    table.watch(before)
    assert table.referee.state == before
    assert isinstance(table.events[-1], Undone)


def test_no_complaint_before_the_board_was_wrong_for_a_while() -> None:
    table, before, _ = moved_table()
    table.referee.complain_after_s = 2.0
    far = replace(before, leaders=(INDEX[Spot("snow:0,5,5")], *before.leaders[1:]))
    for now, flags in ((0.0, 0), (1.9, 0), (2.1, 1), (9.0, 1)):
        table.referee.consider(look(table.game, far), now)
        table.answer_all(far)
        assert sum(isinstance(event, Flagged) for event in table.events) == flags


def test_we_play_it_that_way_is_a_house_ruling() -> None:
    table, before, _ = moved_table()
    far = replace(before, leaders=(INDEX[Spot("snow:0,5,5")], *before.leaders[1:]))
    table.watch(far)
    table.answer_all(far)
    assert table.referee.refusal is not None
    table.referee.keep()
    assert isinstance(table.events[-1], ActionKept)
    assert table.referee.state.leaders == far.leaders
    assert table.referee.mode == TRACKING


def test_undo_by_word_waits_for_the_table() -> None:
    table, before, after = moved_table()
    table.watch(after)
    table.referee.undo()
    assert (table.referee.state, table.referee.mode) == (before, RESTORING)
    table.referee.redo()
    assert table.referee.state == after
    table.referee.undo()
    table.watch(before)
    assert table.referee.mode == TRACKING


def test_a_correction_is_an_event_and_the_table_follows() -> None:
    table, _, after = moved_table()
    position = write_position(after, table.game.box.options)
    table.referee.correct(position, "we had moved already")
    assert isinstance(table.events[-1], Corrected)
    assert table.referee.mode == RESTORING
    table.watch(after)
    assert table.referee.mode == TRACKING


def test_ending_a_turn_without_spending_is_refused_with_its_rule() -> None:
    table, _, _ = moved_table()
    table.referee.press_end_turn()
    assert table.referee.refusal is not None
    assert table.referee.refusal.violation is not None
    assert table.referee.refusal.violation.rule == "R-EP-1"
    assert table.referee.mode == TRACKING


def test_setup_becomes_tracking_when_the_board_is_laid() -> None:
    table, before, after = moved_table()
    table.referee.mode = SETUP
    table.watch(after)
    assert (table.referee.mode, table.referee.state) == (SETUP, before)
    table.watch(before)
    assert table.referee.mode == TRACKING
