"""What is kept of a campaign, read back: its opening, its events, and the proof that one follows from the other."""

from __future__ import annotations

import json
from collections.abc import Sequence

from games import AnyGame
from pbem.campaign.standing import read_state
from pbem.kit import codec
from pbem.kit.dice import KeyedDice, commitment
from pbem.kit.game import Event
from pbem.kit.scenario import Scenario
from pbem.play.phase import play_phase, sealed_dice
from pbem.store.rows import NewCampaign, PhaseRow, TurnRow


def opening_state(game: AnyGame, campaign: NewCampaign) -> str:
    """The scenario set up, as JSON."""
    scenario = codec.build(Scenario, json.loads(campaign.scenario), "scenario")
    return codec.encode(game.setup(scenario, KeyedDice(campaign.secret)))


def events_of(rows: Sequence[TurnRow]) -> tuple[Event, ...]:
    """Events out of the archive."""
    return tuple(
        event for row in rows for event in codec.build(tuple[Event, ...], json.loads(row.events), f"turn {row.id}")
    )


def replays(game: AnyGame, phase: PhaseRow, turn: TurnRow) -> bool:
    """Whether the archive proves itself: commitment, dice, events and state all come out the same again."""
    if commitment(phase.secret) != phase.commitment:
        return False
    again = play_phase(game, read_state(game, phase.state), turn.sheets, sealed_dice(phase.secret, turn.sheets))
    results = (again.after, again.events, again.rolls)
    return tuple(map(codec.encode, results)) == (turn.state, turn.events, turn.rolls)
