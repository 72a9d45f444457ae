"""The books of a host: its campaigns, seats, turns and letters, asked and changed by name, as plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from games import AnyGame
from pbem.campaign.calendar import LEAST_NOTICE, read_calendar, read_zone
from pbem.campaign.envelopes import note
from pbem.campaign.house import SECRET_BYTES, House
from pbem.campaign.reading import join, read_alone
from pbem.campaign.record import opening_state, replays
from pbem.campaign.standing import Standing, digest, read_state, standing
from pbem.campaign.summaries import (
    CampaignInfo,
    LetterInfo,
    OutgoingInfo,
    SeatInfo,
    TurnInfo,
    letter_info,
    outgoing_info,
    seat_info,
    turn_info,
)
from pbem.campaign.trouble import letters_to_all, pause_letters
from pbem.kit import codec
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import match_name
from pbem.letters.notices import deadline_moved, resumed
from pbem.store.outgoing import Draft
from pbem.store.phases import SheetChange
from pbem.store.rows import (
    CampaignRow,
    CampaignStatus,
    NewCampaign,
    NewSeat,
    NoteRow,
    OutgoingStatus,
    PhaseRow,
    SeatRow,
)

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?")
_ADDRESS = re.compile(r"[^\s@<>,;\"]{1,64}@[^\s@<>,;\"]{1,190}")


class NotPossible(ValueError):
    """The campaign is not in a state in which this can be done; says why."""


class Books:
    """One host of campaigns; every change takes the moment it is made at."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._store = house.store

    # --- campaigns

    def open_campaign(
        self,
        slug: str,
        scenario: Scenario,
        now: datetime,
        *,
        title: str = "",
        calendar: str = "",
        grace_minutes: int = 0,
        early: bool = True,
        delay_minutes: int = 0,
        hide_awaited: bool = False,
        hidden: bool | None = None,
        moderator: str = "",
    ) -> CampaignInfo:
        """A new campaign that waits for its players; the scenario is tried at once, so that its faults show now."""
        if not _SLUG.fullmatch(slug):
            raise NotPossible(f"'{slug}' cannot name a campaign; use small letters, digits and hyphens")
        if self._store.campaigns.named(slug) is not None:
            raise NotPossible(f"there is already a campaign called {slug}")
        read_calendar(calendar)
        game = self.house.games(scenario.game)
        campaign = NewCampaign(
            slug=slug,
            title=title or scenario.title,
            game=game.slug,
            game_version=game.version,
            scenario_key=scenario.key,
            scenario_title=scenario.title,
            scenario=codec.encode(scenario),
            secret=self.house.fresh(SECRET_BYTES),
            calendar=calendar,
            grace_minutes=grace_minutes,
            early=early,
            delay_minutes=delay_minutes,
            hide_awaited=hide_awaited,
            hidden=hidden,
            moderator=_address(moderator) if moderator else "",
            created_at=now,
        )
        opening_state(game, campaign)
        return self._info(self._store.campaigns.add(campaign))

    def campaigns(self) -> tuple[CampaignInfo, ...]:
        return tuple(self._info(campaign) for campaign in self._store.campaigns.all())

    def show(self, slug: str) -> CampaignInfo:
        return self._info(self._campaign(slug))

    def sides(self, slug: str) -> Mapping[str, str]:
        """The sides of a campaign: id to name."""
        campaign = self._campaign(slug)
        return {info.id: info.name for info in self._game(campaign).sides(self.state(slug))}

    def state(self, slug: str) -> Any:
        """The state as it is now: before the start the scenario's, after the end the last."""
        campaign = self._campaign(slug)
        game = self._game(campaign)
        phase = self._store.phases.open_in(campaign.id)
        if phase is not None:
            return read_state(game, phase.state)
        archives = self._store.phases.archives(campaign.id)
        return read_state(game, archives[-1][1].state if archives else opening_state(game, campaign))

    # --- seats

    def add_seat(
        self,
        slug: str,
        name: str,
        side: str,
        address: str = "",
        *,
        units: Sequence[str] = (),
        zone: str = "UTC",
        bot: bool = False,
    ) -> SeatInfo:
        """Give a player, or a bot, a place in a campaign that has not begun."""
        campaign = self._campaign(slug)
        if campaign.status != CampaignStatus.FORMING:
            raise NotPossible(f"{slug} is {campaign.status}; seats are taken before it starts")
        seats = self._store.campaigns.seats(campaign.id)
        if any(seat.name.casefold() == name.casefold() for seat in seats):
            raise NotPossible(f"{slug} already has a seat called {name}")
        chosen = self._side(slug, side)
        seat = NewSeat(
            campaign_id=campaign.id,
            name=" ".join(name.split()),
            address="" if bot else _address(address),
            side=chosen,
            units=self._units(slug, chosen, units, seats),
            bot=bot,
            zone=read_zone(zone).key,
        )
        return seat_info(self._store.campaigns.add_seat(seat), None)

    def _side(self, slug: str, side: str) -> str:
        sides = self.sides(slug)
        by_name = {name: key for key, name in sides.items()}
        name = match_name(side, [*sides, *by_name])
        if name is None:
            raise NotPossible(f"no side called '{side}'; the sides are {', '.join(sides)}")
        return name if name in sides else by_name[name]

    def _units(self, slug: str, side: str, units: Sequence[str], seats: Sequence[SeatRow]) -> list[str]:
        """The units by their full names; every unit has one commander."""
        campaign = self._campaign(slug)
        commanded = self._game(campaign).units(self.state(slug), side)
        others = [seat for seat in seats if seat.side == side]
        if not units and any(not seat.units for seat in others):
            raise NotPossible(f"{side} already has a seat for all its units; say which ones this seat commands")
        chosen = []
        for unit in units:
            full_name = match_name(unit, commanded)
            if full_name is None:
                raise NotPossible(f"{side} has no unit called '{unit}'; its units are {', '.join(commanded)}")
            if any(full_name in seat.units for seat in others):
                raise NotPossible(f"{full_name} has a commander already")
            chosen.append(full_name)
        return chosen

    # --- life cycle

    def pause(self, slug: str, reason: str, now: datetime) -> CampaignInfo:
        campaign, phase = self._in_play(slug, CampaignStatus.RUNNING)
        drafts = pause_letters(self.house, campaign, phase, reason, now)
        said = [note(campaign, "paused", reason or "by the moderator", now)]
        self._store.campaigns.set_status(campaign.id, CampaignStatus.PAUSED, reason, now, drafts, said)
        return self.show(slug)

    def resume(self, slug: str, reason: str, now: datetime) -> CampaignInfo:
        """Go on; a deadline that has passed or is too near is set anew, so that nobody is taken by surprise."""
        campaign, phase = self._in_play(slug, CampaignStatus.PAUSED)
        if phase.deadline is not None and phase.deadline - now < LEAST_NOTICE:
            self._move(campaign, phase, read_calendar(campaign.calendar).deadline(now), now)
            _, phase = self._in_play(slug, CampaignStatus.PAUSED)
        drafts = self._tell(campaign, phase, "resumed", reason, now)
        said = [note(campaign, "resumed", reason or "by the moderator", now)]
        self._store.campaigns.set_status(campaign.id, CampaignStatus.RUNNING, "", now, drafts, said)
        return self.show(slug)

    def _tell(self, campaign: CampaignRow, phase: PhaseRow, kind: str, reason: str, now: datetime) -> tuple[Draft, ...]:
        pen = self.house.pen
        return letters_to_all(self.house, campaign, phase, kind, lambda seat: resumed(seat, reason, pen), now)

    def move_deadline(self, slug: str, deadline: datetime | None, reason: str, now: datetime) -> CampaignInfo:
        """Set the open phase's deadline and tell everybody."""
        campaign, phase = self._in_play(slug, CampaignStatus.RUNNING, CampaignStatus.PAUSED)
        was, pen = phase.deadline, self.house.pen
        self._move(campaign, phase, deadline, now)
        campaign, phase = self._in_play(slug, CampaignStatus.RUNNING, CampaignStatus.PAUSED)
        drafts = letters_to_all(
            self.house, campaign, phase, "deadline", lambda seat: deadline_moved(seat, was, reason, pen), now
        )
        self._store.outgoing.add(drafts, now)
        return self.show(slug)

    def _move(self, campaign: CampaignRow, phase: PhaseRow, deadline: datetime | None, now: datetime) -> None:
        at = self._standing(campaign, phase)
        phase.deadline = deadline
        self._store.phases.move_deadline(phase.id, phase.version, deadline, at.due(now))

    def allow_words(self, slug: str, words: Sequence[str]) -> tuple[str, ...]:
        """Names that no longer count as leaks in this campaign; returns all of them."""
        campaign = self._campaign(slug)
        return self._store.campaigns.allow(campaign.id, words)

    # --- turns

    def turns(self, slug: str) -> tuple[TurnInfo, ...]:
        """The archive, oldest first."""
        campaign = self._campaign(slug)
        return tuple(turn_info(phase, turn) for phase, turn in self._store.phases.archives(campaign.id))

    def replay(self, slug: str, turn: int) -> bool:
        """Resolve a turn of the archive again; True if every phase of it comes out the same, byte for byte."""
        campaign = self._campaign(slug)
        phases = [pair for pair in self._store.phases.archives(campaign.id) if pair[0].turn == turn]
        if not phases:
            raise NotPossible(f"{slug} has no resolved turn {turn}")
        return all(replays(self._game(campaign), phase, row) for phase, row in phases)

    def file_orders(self, slug: str, seat_name: str, text: str, now: datetime) -> tuple[str, ...]:
        """File orders without a letter, for a local player or a moderator; returns the problems in sentences."""
        campaign, phase = self._in_play(slug, CampaignStatus.RUNNING, CampaignStatus.PAUSED)
        at = self._standing(campaign, phase)
        seat = self._seat(at, seat_name)
        reading = join(at, seat, read_alone(at, seat, text), text)
        if reading.stands or not (reading.problems or seat.id in at.sheets):
            due = at.with_sheet(seat, reading.text).due(now)
            change = SheetChange(seat.id, phase.id, phase.version, reading.text, digest(reading.text), due)
            self._store.phases.file_sheet(change, now)
        return tuple(f"line {problem.line}: {problem.text}: {problem.reason}" for problem in reading.problems)

    # --- post

    def letters_set_aside(self) -> tuple[LetterInfo, ...]:
        return tuple(letter_info(row) for row in self._store.letters.broken())

    def outgoing(self, slug: str | None = None) -> tuple[OutgoingInfo, ...]:
        campaign_id = None if slug is None else self._campaign(slug).id
        return tuple(outgoing_info(row) for row in self._store.outgoing.all(campaign_id))

    def failed_mails(self) -> tuple[OutgoingInfo, ...]:
        return tuple(outgoing_info(row) for row in self._store.outgoing.failures())

    def retry_mail(self, outgoing_id: int, now: datetime) -> OutgoingInfo:
        """Send a mail that failed once more."""
        row = self._store.outgoing.get(outgoing_id)
        if row is None or row.status != OutgoingStatus.FAILED:
            raise NotPossible(f"mail {outgoing_id} has not failed")
        self._store.outgoing.retry(outgoing_id, now)
        again = self._store.outgoing.get(outgoing_id)
        assert again is not None
        return outgoing_info(again)

    def notes(self, slug: str | None = None) -> Sequence[NoteRow]:
        return self._store.campaigns.notes(None if slug is None else self._campaign(slug).id)

    # --- look-ups

    def _campaign(self, slug: str) -> CampaignRow:
        campaign = self._store.campaigns.named(slug)
        if campaign is None:
            slugs = ", ".join(other.slug for other in self._store.campaigns.all())
            raise NotPossible(f"no campaign called '{slug}'; there are {slugs or 'none yet'}")
        return campaign

    def _game(self, campaign: CampaignRow) -> AnyGame:
        return self.house.games(campaign.game)

    def _in_play(self, slug: str, *wanted: CampaignStatus) -> tuple[CampaignRow, PhaseRow]:
        campaign = self._campaign(slug)
        phase = self._store.phases.open_in(campaign.id)
        if campaign.status not in wanted or phase is None:
            raise NotPossible(f"{slug} is {campaign.status}, not {' or '.join(wanted)}")
        return campaign, phase

    def _standing(self, campaign: CampaignRow, phase: PhaseRow) -> Standing:
        return standing(self.house, campaign, phase)

    def _seat(self, at: Standing, name: str) -> SeatRow:
        full_name = match_name(name, [seat.name for seat in at.seats])
        for seat in at.seats:
            if seat.name == full_name:
                return seat
        raise NotPossible(f"no seat called '{name}'; the seats are {', '.join(seat.name for seat in at.seats)}")

    def _info(self, campaign: CampaignRow) -> CampaignInfo:
        phase = self._store.phases.open_in(campaign.id)
        ordered = set() if phase is None else set(self._store.phases.sheets(phase.id))
        seats = self._store.campaigns.seats(campaign.id)
        return CampaignInfo(
            slug=campaign.slug,
            title=campaign.title,
            game=campaign.game,
            scenario=campaign.scenario_title,
            status=campaign.status,
            reason=campaign.reason,
            calendar=campaign.calendar,
            turn=phase.turn if phase else None,
            phase=phase.name if phase else None,
            phase_number=phase.number if phase else None,
            opened_at=phase.opened_at if phase else None,
            deadline=phase.deadline if phase else None,
            due=phase.due if phase else None,
            moderator=campaign.moderator,
            seats=tuple(seat_info(seat, phase, ordered) for seat in seats),
        )


def _address(text: str) -> str:
    address = text.strip().lower()
    if not _ADDRESS.fullmatch(address):
        raise NotPossible(f"'{text}' is not a mail address such as anna@club.example")
    return address
