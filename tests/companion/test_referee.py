"""The referee with an ideal camera: whole games, illegal moves, questions, undo, house rulings."""

from collections import Counter
from dataclasses import replace

import pytest

from companion.journal import ActionKept, ActionTaken, Corrected, Flagged, Undone
from companion.referee import RESTORING, SETUP, TRACKING
from engine.explain import Unexplained, Weights, explain
from engine.games.ice import Ice
from engine.games.ice import actions as a
from engine.games.ice.board import INDEX, SPOTS
from engine.games.ice.cards import Artifact
from engine.games.ice.options import Options
from engine.games.ice.position import write_position
from engine.games.ice.state import KIND, OFF, State, present_mask
from engine.sighting import Sighting
from engine.spots import Cue, Spot
from tests.companion.followed_games import FollowedGame, followed, look

NEAR_AND_FAR = [Spot("snow:5,3,2"), Spot("snow:5,2,3"), Spot("snow:0,5,5")]


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_a_whole_game_is_followed(players: int, seed: int) -> None:
    table = FollowedGame(seed, players)
    counts = table.whole_game()
    assert table.troubles == []
    assert counts["visible_actions"] > 20
    assert counts["tracked"] == counts["visible_actions"]
    assert counts["none_fits"] == 0
    assert counts["scores_equal"] == 1
    assert not any(isinstance(event, Flagged) for event in table.events)


def test_what_goes_without_saying_may_be_said() -> None:
    game = followed(0, 2, "first", illegal=0.1)
    assert game.whole_game()["false_flags"] == 0  # both say in the end that the day begins
    assert any(isinstance(event, ActionTaken) and event.line == "table day" for event in game.events)


def test_illegal_moves_are_flagged_with_their_rule_and_forgiven_when_put_back() -> None:
    flagged = Counter[str]()
    for seed, players in ((1, 2), (2, 4)):
        table = FollowedGame(seed, players, illegal=0.3)
        counts = table.whole_game()
        assert table.troubles == []
        assert counts["illegal_made"] == counts["illegal_flagged"] == counts["illegal_right_rule"] > 5
        assert counts["not_forgiven"] == 0
        flagged.update(event.rule for event in table.events if isinstance(event, Flagged))
    assert len(flagged) >= 4, flagged


def moved_table() -> tuple[FollowedGame, State, State]:
    """A table where the active leader has camp and company and walks to a neighbour with one archaeologist."""
    table = FollowedGame(11)
    table.start()
    game, state = table.game, table.people.truth
    camp = next(x for x in game.legal_actions(state) if isinstance(x, a.BuildCamp) and SPOTS[x.place] == "snow:5,3,2")
    state = game.apply(state, camp)
    state = game.apply(state, a.Recruit(state.active, INDEX[Spot("snow:5,3,2")]))
    state = replace(state, spent=0)
    table.events.clear()
    table.referee = table.new_referee(state)
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


def test_a_step_that_may_have_been_another_is_taken_for_it_if_only_then_the_next_is_legal() -> None:
    table = FollowedGame(11, guilds=("navigators", "nurturers", "icewalkers"))
    table.start()
    game, state, (home, beside, far) = table.game, table.people.truth, map(INDEX.get, NEAR_AND_FAR)
    camp = next(x for x in game.legal_actions(state) if isinstance(x, a.BuildCamp) and x.place == home)
    state = game.apply(state, camp)
    crowd = tuple(2 if place == home else 0 for place in range(len(state.archaeologists)))
    seats = (replace(state.seats[0], rp=3), *state.seats[1:])
    state = replace(
        state, spent=0, archaeologists=type(state.archaeologists)(crowd), camps=(home, beside, far), seats=seats
    )
    truth = game.apply(state, a.Move(0, beside, archaeologists=1))
    truth = game.apply(game.apply(truth, a.Overwork(0)), a.Sail(0, far, followers=1))
    table.referee = table.new_referee(state)
    for said in (a.Sail(0, beside, followers=1), a.Overwork(0)):
        table.referee.declare(game.format(said))
    table.watch(truth)
    assert table.referee.refusal is None
    assert table.referee.state == truth


def test_a_put_back_is_an_undo() -> None:
    table, before, after = moved_table()
    table.watch(after)
    assert table.referee.state == after
    table.watch(before)
    assert table.referee.state == before
    assert isinstance(table.events[-1], Undone)


def alone(state: State) -> State:
    """A state in which everybody but the active player rests."""
    seats = tuple(replace(each, asleep=seat != state.active) for seat, each in enumerate(state.seats))
    return replace(state, seats=seats)


def gone_and_back(pressed: bool) -> tuple[FollowedGame, State, State]:
    """Somebody who is left alone walked away and stands where they stood; before and after the walk."""
    table, before, _ = moved_table()
    before = alone(before)
    after = table.game.apply(before, walk(table.game, before, 1))
    table.referee = table.new_referee(before, pressed)
    table.watch(after)
    table.referee.consider(look(table.game, before), 99.0)
    table.referee.consider(look(table.game, before), 199.0)
    return table, before, after


def test_who_goes_on_alone_without_a_button_is_asked_whether_it_was_taken_back() -> None:
    table, before, after = gone_and_back(pressed=False)
    question = table.referee.question
    assert table.referee.state == after
    assert question is not None
    assert question.options[0] == ()
    table.referee.answer(question.number, 0)
    assert table.referee.state == before


def test_who_went_on_alone_says_so_in_one_tap() -> None:
    table, before, after = gone_and_back(pressed=False)
    question = table.referee.question
    assert question is not None
    table.referee.answer(question.number, 1)
    assert table.referee.state not in (before, after)
    assert table.referee.state.leaders == before.leaders


def test_with_a_button_who_is_alone_has_taken_it_back() -> None:
    table, before, _ = gone_and_back(pressed=True)
    assert table.referee.question is None
    assert table.referee.state == before


def test_no_complaint_before_the_board_was_wrong_for_a_while() -> None:
    table, before, _ = moved_table()
    table.referee.complain_after_s = 2.0
    far = replace(before, leaders=(INDEX[Spot("snow:0,5,5")], *before.leaders[1:]))
    for now, flags in ((0.0, 0), (1.9, 0), (2.1, 1), (9.0, 1)):
        table.referee.consider(look(table.game, far), now)
        table.answer_all(far)
        assert sum(isinstance(event, Flagged) for event in table.events) == flags


def test_a_piece_that_may_be_across_a_border_is_not_complained_about() -> None:
    table, before, _ = moved_table()
    table.referee.complain_after_s = 0.0
    far = look(table.game, replace(before, leaders=(INDEX[Spot("snow:0,5,5")], *before.leaders[1:])))
    near = table.game.apply(before, walk(table.game, before, 0))
    table.referee.consider(far, 5.0, lambda: [far, look(table.game, near)])
    assert table.referee.refusal is None
    assert table.referee.state == near


def test_what_is_plain_is_believed_whatever_else_a_picture_may_show() -> None:
    table, before, after = moved_table()
    alone = table.game.apply(before, walk(table.game, before, 0))
    table.referee.consider(look(table.game, after), 5.0, lambda: [look(table.game, alone)])
    assert table.referee.state == after


def test_what_is_hardly_seen_is_asked_about() -> None:
    table, before, _ = moved_table()
    table.referee.complain_after_s = 0.0
    after = table.game.apply(before, a.Recruit(before.active, INDEX[Spot("snow:5,3,2")]))
    cue = Cue(Spot("snow:5,3,2"), "archaeologists")
    now, then = (str(state.archaeologists[INDEX[cue.spot]]) for state in (after, before))
    seen = look(table.game, before)
    faint = Sighting({**seen.odds, cue: {now: 0.3, then: 0.1}}, seen.unsure)
    table.referee.consider(faint, 5.0)
    assert table.referee.state == before
    assert table.referee.question is not None
    table.referee.answer(table.referee.question.number, 0)
    assert table.referee.state == after


def test_a_leader_held_in_the_hand_is_not_complained_about() -> None:
    table, before, _ = moved_table()
    table.referee.complain_after_s = 2.0
    held = replace(before, leaders=(OFF, *before.leaders[1:]))
    for now, is_refused in ((0.0, False), (2.5, False), (15.0, False), (21.0, True)):
        table.referee.consider(look(table.game, held), now)
        assert (table.referee.refusal is not None) == is_refused


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


def test_every_snow_tile_that_may_explain_a_board_is_offered() -> None:
    """An archaeologist joins the leader, who stands at a camp on an artifact: a whistle or an anima gem."""
    table, state, _ = moved_table()
    spot, above = INDEX[Spot("surface:4,3,2")], INDEX[Spot("snow:4,4,2")]
    tiles, people = bytearray(state.tiles), bytearray(len(SPOTS))
    tiles[spot], tiles[above], people[above] = KIND["exalted"], KIND["empty"], 2
    tiles[INDEX[Spot("snow:5,3,2")]] = tiles[INDEX[Spot("snow:4,3,3")]] = 0
    state = replace(
        state,
        tiles=bytes(tiles),
        present=present_mask(bytes(tiles)),
        archaeologists=bytes(people),
        leaders=(spot, *state.leaders[1:]),
        camps=(spot, *state.camps[1:]),
        neutral_camps=(),
        seats=(replace(state.seats[0], hand=("unknown",)), *state.seats[1:]),
    )
    gem = a.UseExalted(0, (above,), a.BY_GEM)
    whistle = a.PlayWhistle(0, above, spot, 1)
    for played in (gem, whistle):
        after = table.game.apply(state, played)
        table.referee = table.new_referee(state)
        table.referee.consider(look(table.game, after), 0.0)
        question = table.referee.question
        assert question is not None
        assert {(gem,), (whistle,)} <= set(question.options)
        table.referee.answer(question.number, question.options.index((played,)))
        assert table.referee.state == after


def test_a_day_without_logbook_waits_while_prismatics_may_change_their_slot() -> None:
    table = FollowedGame(1, options=Options(players=3, first_game=True))
    dawn = replace(table.referee.state, phase="sunrise", asked=(), day=2)
    waiting = table.game.pending(dawn)
    assert waiting is not None
    assert isinstance(waiting.default, a.StartDay)
    slots = ((Artifact("prismatic", 1, None),), (), (), (), ())
    waiting = table.game.pending(replace(dawn, seats=(replace(dawn.seats[0], slots=slots), *dawn.seats[1:])))
    assert waiting is not None
    assert waiting.default is None
    assert {type(action) for action in waiting.options} == {a.MovePrismatic, a.StartDay}


def test_a_dig_under_a_crowd_is_understood() -> None:
    """Many pieces go down at once, with their camp: what is left to explain guides the search past many detours.

    In so few steps, effort alone (`Weights.guide` = 0) does not find it.
    """
    table, state, _ = moved_table()
    game, here = table.game, INDEX[Spot("snow:5,3,2")]
    people = bytearray(state.archaeologists)
    people[here] = 9
    seats = (replace(state.seats[0], hand=("unknown",)), *state.seats[1:])
    state = replace(state, archaeologists=bytes(people), seats=seats)
    after = game.apply(state, a.Excavate(state.active, here))
    for kind in (a.Reveal, a.Allocate, a.PlaceCamp):
        after = game.apply(after, [x for x in game.legal_actions(after) if isinstance(x, kind)][-1])
    table.referee = table.new_referee(state)
    table.referee.weights = Weights(steps=200)
    table.watch(after)
    assert table.referee.question is None
    assert table.referee.state == after
    blind = Weights(steps=200, guide=0.0)
    assert isinstance(explain(game, state, look(game, after), blind, game.ends_turn), Unexplained)


def test_a_step_is_a_plain_move_even_with_fluid_tokens() -> None:
    table = FollowedGame(3, players=2)
    table.start()
    game = table.game
    state = table.people.truth
    camp = next(x for x in game.legal_actions(state) if isinstance(x, a.BuildCamp))
    state = replace(game.apply(state, camp), spent=0)
    step = next(x for x in game.legal_actions(state) if isinstance(x, a.Move))
    assert a.FluidMove(state.active, step.place) in game.legal_actions(state)
    table.referee = table.new_referee(state)
    table.watch(game.apply(state, step))
    assert table.referee.question is None
    assert table.referee.state == game.apply(state, step)


def without_button() -> tuple[FollowedGame, State]:
    """A table where turns end by themselves; the first player has camp, company and one EP spent."""
    table, state, _ = moved_table()
    table.pressed = False
    state = replace(state, spent=1)
    table.referee = table.new_referee(state)
    return table, state


def test_without_a_button_the_next_players_move_ends_the_turn() -> None:
    table, state = without_button()
    game = table.game
    passed = game.apply(state, a.EndTurn(0))
    camp = next(x for x in game.legal_actions(passed) if isinstance(x, a.BuildCamp))
    after = game.apply(passed, camp)
    table.watch(after)
    assert table.referee.question is None
    assert table.referee.state == after


def test_without_a_button_the_next_players_word_ends_the_turn() -> None:
    table, state = without_button()
    table.referee.declare(table.game.format(a.Plan(1)))
    assert table.referee.refusal is None
    assert [event.line.split()[-1] for event in table.events if isinstance(event, ActionTaken)] == ["end", "plan"]
    table.referee = table.new_referee(replace(state, spent=0))
    table.referee.declare(table.game.format(a.Plan(1)))
    assert table.referee.refusal is not None


def test_without_a_button_a_turn_is_not_ended_for_nothing() -> None:
    table, state = without_button()
    after = table.game.apply(state, walk(table.game, state, 1))
    table.watch(after)
    assert table.referee.question is None
    assert table.referee.state == after


def test_without_a_button_it_is_asked_whose_recruit_it_was() -> None:
    table, state = without_button()
    game, camp = table.game, INDEX[Spot("snow:5,3,2")]
    by_first, by_second = a.Recruit(0, camp), a.Recruit(1, camp)
    table.referee.consider(look(game, game.apply(state, by_first)), 0.0)
    question = table.referee.question
    assert question is not None
    assert set(question.options) == {(by_first,), (a.EndTurn(0), by_second)}


def test_an_illegal_dig_is_that_of_the_player_whose_leader_stands_there() -> None:
    table, state = without_button()
    game = table.game
    far = next(x.place for x in game.legal_actions(game.apply(state, a.EndTurn(0))) if isinstance(x, a.BuildCamp))
    tiles, people = bytearray(state.tiles), bytearray(state.archaeologists)
    tiles[far], people[far] = KIND["nunatak"], 0
    seats = tuple(replace(seat, ep=1) for seat in state.seats)
    leaders = (state.leaders[0], far, *state.leaders[2:])
    state = replace(state, tiles=bytes(tiles), archaeologists=bytes(people), leaders=leaders, seats=seats)
    after = game.apply(game.apply(state, a.EndTurn(0)), a.Excavate(1, far))
    for kind in (a.Reveal, a.Allocate):
        after = game.apply(after, [x for x in game.legal_actions(after) if isinstance(x, kind)][-1])
    table.referee = table.new_referee(state)
    table.watch(after)
    refusal = table.referee.refusal
    assert refusal is not None
    assert refusal.violation is not None
    assert (refusal.violation.rule, refusal.action) == ("R-DIG-4", a.Excavate(1, far))


def test_survivors_out_of_a_hidden_hand_are_asked_about() -> None:
    table, state, _ = moved_table()
    game, here = table.game, INDEX[Spot("snow:5,3,2")]
    after = game.apply(state, a.Excavate(state.active, here))
    after = game.apply(game.apply(after, game.legal_actions(after)[-1]), a.PlaySurvivors(state.active))
    for kind in (a.Allocate, a.PlaceCamp):
        after = game.apply(after, next(x for x in game.legal_actions(after) if isinstance(x, kind)))
    table.referee.consider(look(game, after), 0.0)
    question = table.referee.question
    assert question is not None
    assert any(a.PlaySurvivors(state.active) in option for option in question.options)


def with_doubt(sighting: Sighting, *doubts: tuple[str, str, str, float]) -> Sighting:
    """The same picture with some cues read as something else: spot, kind, label, share."""
    odds = dict(sighting.odds)
    for spot, kind, label, share in doubts:
        cue = Cue(Spot(spot), kind)
        odds[cue] = {**dict.fromkeys(sighting.odds[cue], 1.0 - share), label: share}
    return Sighting(odds)


def test_what_flickers_is_not_complained_about_and_what_stays_is() -> None:
    table, before, _ = moved_table()
    table.referee.complain_after_s = 2.0
    picture = look(table.game, before)
    far = [SPOTS[i] for i, count in enumerate(before.archaeologists[:48]) if not count and i not in before.leaders]
    for now in range(9):
        flicker = with_doubt(picture, (far[now], "archaeologists", "3", 0.999))
        table.referee.consider(flicker, float(now))
        table.answer_all(before)
        assert table.referee.refusal is None
    for now in range(9, 13):
        table.referee.consider(with_doubt(picture, (far[0], "archaeologists", "3", 0.999)), float(now))
        table.answer_all(before)
    assert table.referee.refusal is not None


def test_a_small_doubt_is_believed_only_when_it_stays() -> None:
    table, before, _ = moved_table()
    table.referee.complain_after_s = 2.0
    camp = Spot("snow:5,3,2")
    count = before.archaeologists[INDEX[camp]]
    doubt = with_doubt(look(table.game, before), (camp, "archaeologists", str(count + 1), 0.8))
    table.referee.consider(doubt, 0.0)
    table.referee.consider(look(table.game, before), 1.0)
    table.referee.consider(doubt, 2.0)
    table.referee.consider(doubt, 3.0)
    assert table.events == []
    table.referee.consider(doubt, 4.0)
    assert table.referee.state == table.game.apply(before, a.Recruit(0, INDEX[camp]))


def test_a_move_is_understood_beside_cues_that_are_read_wrongly() -> None:
    table, _, after = moved_table()
    empty = [SPOTS[i] for i, count in enumerate(after.archaeologists[:48]) if not count and i not in after.leaders]
    doubts = [(spot, "archaeologists", "1", 0.8) for spot in empty[:8]]
    table.referee.consider(with_doubt(look(table.game, after), *doubts), 0.0)
    assert table.referee.question is None
    assert table.referee.state == after


def test_what_was_said_stands_when_steps_are_understood_anew() -> None:
    table, before, after = moved_table()
    table.watch(table.game.apply(before, walk(table.game, before, 0)))
    table.referee.declare(table.game.format(a.Plan(0)))
    table.referee.consider(look(table.game, after), 0.0)
    lines = [step.line for step in table.referee.steps if isinstance(step, ActionTaken)]
    assert table.game.format(a.Plan(0)) in lines


def test_what_was_denied_is_not_asked_again() -> None:
    table, state = without_button()
    camp = INDEX[Spot("snow:5,3,2")]
    picture = look(table.game, table.game.apply(state, a.Recruit(0, camp)))
    table.referee.consider(picture, 0.0)
    first = table.referee.question
    assert first is not None
    table.referee.answer(first.number, len(first.options))
    table.referee.consider(picture, 0.0)
    second = table.referee.question
    assert second is None or set(second.options).isdisjoint(first.options)
    assert table.referee.state == state
