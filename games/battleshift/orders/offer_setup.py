"""What can be told at setup: where units stand or come from, what quadrants and crews are given (section 6.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from games.battleshift.data import LIMITS, TABLES
from games.battleshift.orders import records as o
from games.battleshift.orders.desk import DetailT, point_of
from games.battleshift.orders.draft import bad_deploy, bad_reserve, check_draft, draft_of, members_of
from games.battleshift.orders.fleet import INWARD
from games.battleshift.orders.offer_command import FACINGS, points_in
from games.battleshift.orders.offer_fire import spoken
from games.battleshift.orders.setup import SetupReader
from games.battleshift.rules.building import SYSTEMS, trait_cost
from games.battleshift.rules.space import all_sectors, read_sector
from games.battleshift.state import QUADRANTS, Return, State
from games.battleshift.table import Table
from pbem.kit.choices import Choice, Closed, Fill, Number, Offer, Places, fillings
from pbem.kit.judging import Judge
from pbem.kit.plane import INCH, SECTOR, Spot
from pbem.kit.scene import Point
from pbem.kit.sheet import Accepted, BadOrder, Line, Problem, Sheet

EVERY = 3 * INCH
"""How far apart the places of a deployment zone are that one may choose from."""
LATEST = 4
"""Turns of arrival offered to a reserve; later ones may be written."""


class SetupDesk:
    """The offer of one unit, or of the fleet, on top of a setup letter."""

    def __init__(self, state: State, side: str, sheet: Sheet[o.Order], unit: str) -> None:
        self.state, self.side, self.sheet, self.unit = state, side, sheet, unit
        written = [*(entry.text for entry in sheet.accepted), *(problem.text for problem in sheet.problems)]
        self.reader = SetupReader(state, side, "\n".join(written))
        self.draft = draft_of(state, side, sheet.orders)
        self.table = Table(state)
        self.choices: list[Choice] = []
        self.closed: list[Closed] = []

    def given(self, kind: type[DetailT]) -> list[tuple[int, DetailT]]:
        return [(e.line, e.order.detail) for e in self.sheet.accepted if isinstance(e.order.detail, kind)]

    def add(
        self, group: str, label: str, line: str, *, note: str = "", fill: Fill | None = None, gone: Collection[int] = ()
    ) -> None:
        """Lay out a choice that reads and draws no new word."""
        samples = list(fillings(fill))
        if samples and all(self._stands(line.replace("{}", word, 1), gone) for word in {samples[0], samples[-1]}):
            said = any(entry.text.casefold() == line.casefold() for entry in self.sheet.accepted)
            self.choices.append(Choice(group, label, (line,), tuple(sorted(gone)), note, chosen=said, fill=fill))

    def _stands(self, text: str, gone: Collection[int]) -> bool:
        try:
            orders = self.reader.read(Line(0, self.unit or "Fleet", text))
        except BadOrder:
            return False
        kept = [entry for entry in self.sheet.accepted if entry.line not in gone]
        before = {_told(found) for found in self._judged(kept)}
        new = [Accepted(0, self.unit or "Fleet", text, order) for order in orders]
        return all(_told(found) in before for found in self._judged([*kept, *new]))

    def _judged(self, entries: Sequence[Accepted[o.Order]]) -> list[Problem]:
        judge = Judge(entries)
        check_draft(judge, draft_of(self.state, self.side, [entry.order for entry in entries]))
        return judge.problems

    # --- the fleet and its units -------------------------------------------------------------------------------------

    def offer(self, called: str) -> Offer:
        title = f"{called}: setup"
        if not self.unit:
            self._fleet()
        elif self.draft.is_new and self.unit not in self.reader.names.own:
            self.closed.append(Closed("deploy", "the letter builds a fleet of its own, without this unit", "BS-FLT-2"))
        else:
            self._unit(self.unit)
        return Offer(called, title, tuple(self.choices), tuple(self.closed))

    def _fleet(self) -> None:
        if self.draft.is_new:
            for unit in (*self.draft.taskforces, *self.draft.loose):
                self._places(unit)
            self._crews()
        for body in self.state.terrain:
            if body.owner == self.side and body.name and body.defence:
                self._defences(body.name, body.defence)

    def _unit(self, unit: str) -> None:
        tf = next((tf for tf in self.state.taskforces if (tf.side, tf.name) == (self.side, unit)), None)
        squadron = next((s for s in self.state.squadrons if (s.side, s.name) == (self.side, unit)), None)
        self._places(unit, may_wait=tf is not None or (squadron is not None and not squadron.taskforce))
        if squadron is not None:
            self._arrival(unit)
        if tf is not None or (squadron is not None and unit in self.reader.names.own):
            line = "standing escape when damage >= {}%"
            self.add("standing", "escape when damaged, every turn", line, fill=Number(1, 300, 90))

    # --- places ------------------------------------------------------------------------------------------------------

    def _places(self, unit: str, *, may_wait: bool = True) -> None:
        """BS-FLT-5, BS-SHF-9: on the table within the zone, or in reserve."""
        gone = [line for line, order in self.given(o.Deploy) if order.unit == unit]
        gone += [line for line, order in self.given(o.Reserve) if order.unit == unit]
        edge = self.draft.builder.edge or "south"
        inward = next(word for word, bearing in FACINGS.items() if bearing == INWARD[edge])
        for facing in (inward, *(word for word in FACINGS if word != inward)):
            places = dict(self._zone(unit, FACINGS[facing]))
            if places:
                line, note = f"deploy {unit} at {{}} facing {facing}", f'within 12.00" of the {edge} edge'
                label = f"{unit} on the table, facing {facing}"
                self.add("deploy", label, line, note=note, fill=Places(places), gone=gone)
        if not any(choice.group == "deploy" for choice in self.choices):
            self.closed.append(Closed("deploy", f'no place for {unit} within 12.00" of the {edge} edge', "BS-V-62"))
        for turn in range(1, LATEST + 1) if may_wait else ():
            sectors = dict(self._sectors(unit, turn, FACINGS[inward]))
            if sectors:
                line = f"reserve {unit} turn {turn} sector {{}} facing {inward}"
                label, note = f"{unit} in reserve until turn {turn}", f"{len(sectors)} sectors are open"
                self.add("reserve", label, line, note=note, fill=Places(sectors), gone=gone)

    def _zone(self, unit: str, facing: int) -> Iterator[tuple[str, Point]]:
        edge, depth = self.draft.builder.edge, LIMITS.deploy_depth
        width, height = self.state.width_ft * SECTOR, self.state.height_ft * SECTOR
        xs = {"west": range(0, depth + 1, EVERY), "east": range(width - depth, width + 1, EVERY)}
        ys = {"north": range(0, depth + 1, EVERY), "south": range(height - depth, height + 1, EVERY)}
        for y in ys.get(edge or "", range(0, height + 1, EVERY)):
            for x in xs.get(edge or "", range(0, width + 1, EVERY)):
                spot = point_of((x, y))
                if not bad_deploy(self.draft, self.table, o.Deploy(unit, Spot(x, y), facing)):
                    yield f"{x // INCH},{y // INCH}", spot

    def _sectors(self, unit: str, turn: int, facing: int) -> Iterator[tuple[str, Point]]:
        for sector in all_sectors(self.table):
            order = o.Reserve(unit, Return(turn, sector.name, facing))
            if not bad_reserve(self.draft, self.table, order)[1]:
                yield sector.name, point_of(sector.centre)

    def _arrival(self, squadron: str) -> None:
        """BS-SHF-8: the place of a squadron whose taskforce comes from the reserve by this letter."""
        waiting = [r for r in self.draft.reserves.values() if squadron in members_of(self.draft, r.unit)]
        if not waiting or not self.unit:
            return
        sector = read_sector(waiting[-1].back.sector, self.state.width_ft, self.state.height_ft)
        assert sector is not None
        gone = [e.line for e in self.sheet.accepted if e.order.slot == "arrive" and e.order.unit == squadron]
        points = {text: point for text, point in points_in(sector) if self._stands(f"arrive at {text}", gone)}
        if points:
            self.add("arrive", "at a place", "arrive at {}", note=f"in {sector.name}", fill=Places(points), gone=gone)

    # --- what is bought ----------------------------------------------------------------------------------------------

    def _crews(self) -> None:
        """BS-XP: traits of a fleet of one's own, as far as the points go."""
        if not self.state.switches.experience:
            return
        cost, points = self.draft.cost(), self.draft.builder.points
        for squadron in self.draft.squadrons.values():
            made = self.draft.class_named(squadron.ship_class)
            for trait in TABLES.trait:
                price = squadron.ships * trait_cost([trait], made)
                has = trait in self.draft.traits.get(squadron.name, ())
                if not has and price and (not points or cost + price <= points):
                    label = f"{squadron.name}: {trait}"
                    self.add("trait", label, f"trait {squadron.name} {trait}", note=f"{price} points")
        if not self.draft.admiral:
            self.add("admiral", "veteran", "admiral veteran", note=f"{TABLES.veteran_admiral.cost} points")

    def _defences(self, body: str, limit: int) -> None:
        """BS-PLN-3: systems of a quadrant, as far as its space goes."""
        for place in QUADRANTS:
            used = sum(
                TABLES.system[name].space * count
                for _, order in self.given(o.Defence)
                if order.body == body and place in order.quadrants
                for name, count in order.systems
            )
            for system in SYSTEMS:
                rule = TABLES.system[system]
                most = (limit - used) // rule.space
                if most > 0 and (not rule.switch or getattr(self.state.switches, rule.switch)):
                    line, note = (
                        f"defence {body} {place} {spoken(system)} {{}}",
                        f"{limit - used} of {limit} space left",
                    )
                    self.add(f"defence {place}", spoken(system), line, note=note, fill=Number(1, most, 1))
            if used >= limit:
                self.closed.append(Closed(f"defence {place}", f"all {limit} space units are used", "BS-V-50"))


def _told(problem: Problem) -> tuple[str, str, str]:
    return problem.text, problem.rule, problem.reason
