"""A campaign's phases played: the open one, those that follow at once, and the rows that prove them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from games import AnyGame
from pbem.campaign.house import SECRET_BYTES, House
from pbem.campaign.standing import Standing, read_state
from pbem.kit import codec
from pbem.kit.dice import commitment
from pbem.kit.game import Phase
from pbem.play.phase import Played, play_phase, sealed_dice
from pbem.store.phases import NewTurn
from pbem.store.rows import CampaignRow, NewPhase, PhaseStatus

MOST_AT_ONCE = 100
"""A game that asks nobody for so many phases in a row is not going to stop."""


class Runaway(RuntimeError):
    """A game resolved phase after phase without ever asking a player."""


def play(at: Standing) -> Played:
    """Play the open phase with the sheets in force."""
    texts = {info.id: at.joined(info.id) for info in at.game.sides(at.state)}
    return play_phase(at.game, at.state, texts, sealed_dice(at.phase.secret, texts))


def follow_up(
    house: House, campaign: CampaignRow, game: AnyGame, state: str, number: int, now: datetime
) -> list[tuple[Played, NewTurn]]:
    """Play the phases that ask nobody, from the one after ``number`` on."""
    done: list[tuple[Played, NewTurn]] = []
    while (phase := game.phase(read_state(game, state))) is not None and not phase.sides:
        if len(done) >= MOST_AT_ONCE:
            raise Runaway(f"{game.slug}: {MOST_AT_ONCE} phases in a row asked no side for orders")
        row = new_phase(house, campaign, phase, state, number + len(done) + 1, now)
        row.status = PhaseStatus.RESOLVED
        before = read_state(game, state)
        texts = {info.id: "" for info in game.sides(before)}
        played = play_phase(game, before, texts, sealed_dice(row.secret, texts))
        turn = new_turn(row, played, (), now)
        done.append((played, turn))
        state = turn.state
    return done


def new_turn(phase: NewPhase, played: Played, absent: Sequence[str], now: datetime) -> NewTurn:
    """What proves it."""
    game, state = played.game, codec.encode(played.after)
    return NewTurn(
        phase=phase,
        game=game.slug,
        game_version=game.version,
        sheets=dict(played.texts),
        absent=list(absent),
        events=codec.encode(played.events),
        rolls=codec.encode(played.rolls),
        state=state,
        gauges=side_gauges(game, read_state(game, state)),
        resolved_at=now,
    )


def side_gauges(game: AnyGame, state: Any) -> dict[str, Any]:
    """The figures each side knows."""
    return {info.id: codec.plain(game.gauges(game.view(state, info.id))) for info in game.sides(state)}


def new_phase(house: House, campaign: CampaignRow, phase: Phase, state: str, number: int, now: datetime) -> NewPhase:
    """A phase with a fresh secret; its commitment goes out before anybody orders."""
    secret = house.fresh(SECRET_BYTES)
    return NewPhase(
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
