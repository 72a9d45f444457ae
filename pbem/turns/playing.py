"""Playing a phase: dice from secret and sheets, the game's own resolution, and the phases that follow at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import AnyGame
from pbem.kit import codec
from pbem.kit.dice import KeyedDice, commitment, phase_key
from pbem.kit.game import Event
from pbem.kit.game import Phase as GamePhase
from pbem.kit.scenario import Scenario
from pbem.store.phases import Resolved
from pbem.store.rows import Campaign, Phase, PhaseStatus, TurnRow
from pbem.turns.house import House
from pbem.turns.standing import Standing, read_state

SECRET_BYTES = 32
MOST_AT_ONCE = 100
"""A game that asks nobody for so many phases in a row is not going to stop."""


class Runaway(RuntimeError):
    """A game resolved phase after phase without ever asking a player."""


@dataclass(frozen=True)
class Played:
    """What became of one phase."""

    phase: Phase
    sheets: Mapping[str, str]
    """Side to text, all sides, exactly as it went into the dice key."""
    absent: tuple[str, ...]
    state: str
    """Afterwards, as JSON."""
    events: tuple[Event, ...]
    rolls: str

    def archived(self, campaign: Campaign, game: AnyGame, now: datetime) -> Resolved:
        """The row that proves it."""
        assert campaign.id is not None
        after = read_state(game, self.state)
        turn = TurnRow(
            phase_id=0,
            campaign_id=campaign.id,
            game=game.slug,
            game_version=game.version,
            sheets=dict(self.sheets),
            absent=list(self.absent),
            events=codec.encode(self.events),
            rolls=self.rolls,
            state=self.state,
            gauges=side_gauges(game, after),
            resolved_at=now,
        )
        return Resolved(self.phase, turn)


def side_gauges(game: AnyGame, state: Any) -> dict[str, Any]:
    """The figures each side knows."""
    return {info.id: codec.plain(game.gauges(game.view(state, info.id))) for info in game.sides(state)}


def opening_state(game: AnyGame, campaign: Campaign) -> str:
    """The scenario set up, as JSON."""
    scenario = codec.build(Scenario, json.loads(campaign.scenario), "scenario")
    return codec.encode(game.setup(scenario, KeyedDice(campaign.secret)))


def resolve_phase(game: AnyGame, before: str, texts: Mapping[str, str], secret: bytes) -> tuple[str, Any, str]:
    """One phase: the state afterwards as JSON, the events, the rolls as JSON.

    Everything follows from these four values, so that anybody can do it again.
    """
    state = read_state(game, before)
    sheets = {info.id: game.read_orders(state, info.id, texts.get(info.id, "")) for info in game.sides(state)}
    dice = KeyedDice(phase_key(secret, texts.items()))
    resolution = game.resolve(state, sheets, dice)
    return codec.encode(resolution.state), resolution.events, codec.encode(tuple(dice.rolls))


def play(at: Standing) -> Played:
    """Resolve the open phase with the sheets in force; a missing sheet is an empty one."""
    texts = {info.id: at.joined(info.id) for info in at.game.sides(at.state)}
    after, events, rolls = resolve_phase(at.game, at.phase.state, texts, at.phase.secret)
    absent = tuple(seat.name for seat in at.awaited())
    return Played(at.phase, texts, absent, after, events, rolls)


def follow_up(house: House, campaign: Campaign, game: AnyGame, state: str, number: int, now: datetime) -> list[Played]:
    """Resolve the phases that ask nobody, from the one after ``number`` on."""
    played: list[Played] = []
    while (phase := game.phase(read_state(game, state))) is not None and not phase.sides:
        if len(played) >= MOST_AT_ONCE:
            raise Runaway(f"{game.slug}: {MOST_AT_ONCE} phases in a row asked no side for orders")
        row = new_phase(house, campaign, phase, state, number + len(played) + 1, now)
        row.status = PhaseStatus.RESOLVED
        texts = {info.id: "" for info in game.sides(read_state(game, state))}
        state, events, rolls = resolve_phase(game, state, texts, row.secret)
        played.append(Played(row, texts, (), state, events, rolls))
    return played


def new_phase(house: House, campaign: Campaign, phase: GamePhase, state: str, number: int, now: datetime) -> Phase:
    """A phase with a fresh secret; its commitment goes out before anybody orders."""
    assert campaign.id is not None
    secret = house.fresh(SECRET_BYTES)
    return Phase(
        campaign_id=campaign.id,
        number=number,
        turn=phase.turn,
        name=phase.name,
        sides=sorted(phase.sides),
        state=state,
        secret=secret,
        commitment=commitment(secret),
        opened_at=now,
    )


def events_of(rows: Sequence[TurnRow]) -> tuple[Event, ...]:
    """Events out of the archive."""
    return tuple(
        event for row in rows for event in codec.build(tuple[Event, ...], json.loads(row.events), f"turn {row.id}")
    )


def replays(game: AnyGame, phase: Phase, turn: TurnRow) -> bool:
    """Whether the archive proves itself: commitment, dice, events and state all come out the same again."""
    if commitment(phase.secret) != phase.commitment:
        return False
    state, events, rolls = resolve_phase(game, phase.state, turn.sheets, phase.secret)
    return (state, codec.encode(events), rolls) == (turn.state, turn.events, turn.rolls)
