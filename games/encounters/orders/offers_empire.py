"""What a power can still be ordered in the strategic phase (rule book 6.1): stances, money, doctrine."""

from __future__ import annotations

from typing import get_args

from games.encounters.data import PATHS, Design, tables
from games.encounters.orders import records as said
from games.encounters.orders.board import Board
from games.encounters.orders.headers import EMPIRE
from games.encounters.orders.offering import Desk, Switch, Wares
from games.encounters.orders.words import FIRE_KINDS, PLAIN_DOCTRINES
from games.encounters.rules import construction as yards
from games.encounters.rules import economy
from games.encounters.rules.combat import DEFAULTS
from games.encounters.state import Stance, Unit
from games.encounters.table import Table
from pbem.kit.choices import Closed, Number
from pbem.kit.sheet import Accepted

STATS = ("CEN", "MOR", "PROD")
AIMS = ("biggest", "weakest", "strongest", "crippled", "flagship", "carriers", "transports")
"""The selectors that are offered for a standing list; all of 6.5 can be written."""
MOST_PERCENT, USUAL_LOSSES = 100, 50


def empire_offers(desk: Desk) -> Wares:
    yield from stances(desk)
    yield from builds(desk)
    yield from cancels(desk)
    for unit in desk.table.of(desk.side):
        yield from repairs(desk, unit, EMPIRE)
    yield from investments(desk)
    yield from intel(desk)
    yield from research(desk)
    yield from doctrines(desk, "")


def title_of_empire(desk: Desk) -> str:
    books, left = desk.view.books[desk.side], desk.letter.end.table.powers[desk.side].treasury
    sums = f"{books.in_hand} in hand, {books.income} income, {books.maintenance} maintenance"
    return f"{desk.own.name}: {left} EP left ({sums})"


def stances(desk: Desk) -> Wares:
    """EN-DIP-1: another stance to any power, or the present one where the letter has changed it."""
    for other in (key for key in desk.view.seats if key != desk.side and not desk.view.powers[key].out):
        name, now, theirs = desk.table.name(other), desk.own.stance_to(other), desk.view.relations[other].returned
        old = [entry for entry in desk.given(said.SetStance) if entry.order.other == other]
        switch = Switch(desk, "stance", old)
        for value in get_args(Stance):
            if (value != now or old) and (value != "ally" or desk.view.switches.alliances):
                order = said.SetStance(other, value)
                note = f"now {now}; they: {theirs}"
                yield switch.to(f"{value} with {name}", f"stance {name} {value}", order, note=note)
    if not desk.view.switches.alliances:
        yield Closed("stance", "no alliances in this campaign", "EN-DIP-1")


# --- building --------------------------------------------------------------------------------------------------------


def builds(desk: Desk) -> Wares:
    """EN-CON-1: each design at each own system, up to what yards or works and the treasury allow."""
    systems = economy.own_systems(desk.table, desk.side)
    known = desk.letter.end.table.powers[desk.side].designs
    listed = [*desk.view.books[desk.side].designs, *(key for key in known if key not in desk.own.designs)]
    laid = [entry for entry in desk.given(said.LayDown) if not entry.order.names]
    for key in listed:
        for system in systems:
            old = [entry for entry in laid if (entry.order.design, entry.order.system) == (key, system)]
            yield from build(desk, key, system, old)
    yield from yards_closed(desk, systems)


def build(desk: Desk, key: str, system: str, old: list[Accepted[said.LayDown]]) -> Wares:
    gone = desk.replaced(old)
    boards = desk.letter.boards(desk.letter.spots(EMPIRE, gone)[0], gone)
    most = min(yards.most_to_build(board.table, desk.side, key, system) for board in boards)
    if most < 1:
        return
    design, now = boards[-1].table.design_of(key), old[-1].order.count if old else 1
    total, used = yards.room_for(boards[-1].table, desk.side, design, system)
    place = "yards" if design.category == "ship" else "works"
    turns = yards.turns_left(desk.table, design.base_cost)
    note = (
        f"{design.cost} EP each, {spelt(turns, 'turn')}; {place} {used} of {total} used, this takes {design.base_cost}"
    )
    yield Switch(desk, "build", old).to(
        f"{design.name} ({design.mark}) at {system}", f"build {{}} {design.name} at {system}", note=note,
        fill=Number(1, most, min(now, most)), at=desk.points[system], chosen=bool(old),
    )  # fmt: skip


def yards_closed(desk: Desk, systems: list[str]) -> Wares:
    table = desk.letter.end.table
    left = table.powers[desk.side].treasury
    costs = [table.design_of(key).cost for key in table.powers[desk.side].designs]
    if costs and left < min(costs):
        yield Closed("build", f"{left} EP are left, the cheapest design costs {min(costs)}", "EN-VAL-5")
    for system in systems:
        total, used = yards.yard_capacity(table, desk.side, system), yards.yard_in_use(table, desk.side, system)
        if system in table.blockaded:
            yield Closed("build", f"{system} is blockaded: nothing is built, repaired or invested there", "EN-ECO-3")
        elif total and used >= total:
            yield Closed("build", f"the yards of {system} are full: {used} of {total} used", "EN-CON-1")


def spelt(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def cancels(desk: Desk) -> Wares:
    """EN-CON-6: builds of earlier turns; one of this letter is taken back by taking back its line."""
    for entry in desk.given(said.Cancel):
        yield desk.chosen("cancel", label_of_build(desk.table, entry.order.design, entry.order.system), entry)
    laid = {(entry.order.design, entry.order.system) for entry in desk.given(said.LayDown)}
    waiting = {(build.design, build.system) for build in desk.view.builds} - laid
    for key, system in sorted(waiting):
        if desk.letter.refusal(EMPIRE, [said.Cancel(key, system)]) is None:
            design = desk.table.design_of(key)
            note = f"{yards.refund(design)} of {design.cost} EP come back"
            text, label = f"cancel {design.name} at {system}", label_of_build(desk.table, key, system)
            yield Switch(desk, "cancel", ()).to(label, text, note=note, at=desk.points[system])


def label_of_build(table: Table, key: str, system: str) -> str:
    return f"the latest {table.design_of(key).name} at {system}"


def repairs(desk: Desk, unit: Unit, header: str) -> Wares:
    """EN-CON-5: a crippled unit where there is a yard, supply and money for it."""
    design = desk.table.design(unit)
    mine = [entry for entry in desk.given(said.Repair) if entry.order.unit == unit.id]
    label, note = f"repair {unit.name}", f"{yards.repair_cost(design)} EP, at {unit.location}; intact at the turn's end"
    if mine:
        yield desk.chosen("repair", label, mine[-1], note=note)
    elif unit.state == "crippled" and unit.id in desk.letter.end.table.units:
        error = desk.letter.refusal(header, [said.Repair(unit.id)])
        if error is not None:
            yield Closed(
                "repair", f"{unit.name}: {error.reason}", "EN-MOV-6" if "EN-MOV-6" in error.reason else error.rule
            )
            return
        room = yard_note(desk, design, unit.location) if design.category == "ship" else ""
        yield Switch(desk, "repair", ()).to(label, label, note=note + room, at=desk.points[unit.location])


def yard_note(desk: Desk, design: Design, system: str) -> str:
    total, used = yards.room_for(desk.letter.end.table, desk.side, design, system)
    return f"; yards {used} of {total} used, this takes {design.base_cost}"


# --- systems and money -----------------------------------------------------------------------------------------------


def investments(desk: Desk) -> Wares:
    """EN-ECO-5: one point a system and turn."""
    cost = tables().economy.invest_cost
    for system in economy.own_systems(desk.table, desk.side):
        old = [entry for entry in desk.given(said.Invest) if entry.order.system == system]
        gone, here = desk.replaced(old), desk.table.systems[system]
        for stat in STATS:
            order = said.Invest(stat, system)
            if (old and not gone) or desk.letter.refusal(EMPIRE, [order], gone) is not None:
                continue
            value, limit = getattr(here, stat), economy.limit_of(here, stat)
            note = f"{cost} EP: {stat} {value} to {value + 1}, at most {limit}; {growth(desk, stat, system)}"
            text = f"invest {stat.casefold()} at {system}"
            yield Switch(desk, "invest", old).to(f"{stat} of {system}", text, order, note=note, at=desk.points[system])
    left = desk.letter.end.table.powers[desk.side].treasury
    if left < cost:
        yield Closed("invest", f"one point costs {cost} EP, {left} EP are left", "EN-ECO-5")


def growth(desk: Desk, stat: str, system: str) -> str:
    """What a point does to the yield of the system."""
    here = desk.table.systems[system]
    grown = desk.table.copy().change(here, **{stat: getattr(here, stat) + 1})
    before, after = economy.yield_of(here), economy.yield_of(grown)
    return f"yield {before} to {after} EP" if after != before else f"yield stays {before} EP"


def intel(desk: Desk) -> Wares:
    """EN-INT-1, 2: points to buy where the power is, and to spend where it holds some."""
    cost = tables().economy.intel_cost
    here = [system for system in sorted(desk.table.systems) if desk.side in desk.table.at_start[system]]
    for system in here:
        old = [entry for entry in desk.given(said.BuyIntel) if entry.order.system == system]
        gone = desk.replaced(old)
        boards = desk.letter.boards(desk.letter.spots(EMPIRE, gone)[0], gone)
        most = min(most_to_buy(board, system) for board in boards)
        orders = {points: [said.BuyIntel(points, system)] for points in range(1, most + 1)}
        legal = [points for points, order in orders.items() if desk.letter.refusal(EMPIRE, order, gone) is None]
        if legal and (gone or not old):
            held = desk.own.intel.get(system, 0)
            yield Switch(desk, "intel", old).to(
                f"buy Intel at {system}", f"intel buy {{}} at {system}", note=f"{cost} EP a point; {held} held",
                fill=Number(legal[0], legal[-1], old[-1].order.points if old else legal[0]), at=desk.points[system],
                chosen=bool(old),
            )  # fmt: skip
    for system in sorted({*desk.own.intel, *here}):
        yield from spend_intel(desk, system)


def most_to_buy(board: Board, system: str) -> int:
    most = economy.most_intel(board.table, board.power, system)
    return min(most, economy.most_intel_to_pay(board.table, board.power))


def spend_intel(desk: Desk, system: str) -> Wares:
    old = [entry for entry in desk.given(said.SpendIntel) if entry.order.system == system]
    gone = desk.replaced(old)
    spots = desk.letter.spots(EMPIRE, gone)
    held = min(desk.letter.board(at, frozenset(gone)).intel_left(system) for at in (*spots, len(desk.entries)))
    if held > 0:
        yield Switch(desk, "intel", old).to(
            f"spend Intel at {system}", f"intel spend {{}} at {system}", note=f"{held} held; each adds 1 to readiness",
            fill=Number(1, held, min(held, old[-1].order.points) if old else held), at=desk.points[system],
            chosen=bool(old),
        )  # fmt: skip


def research(desk: Desk) -> Wares:
    """EN-ECO-6: any EP into an open path; a line that a new design hangs on is left as it is."""
    end = desk.letter.end.table
    drawn = bool(desk.given(said.DrawDesign))
    for path in PATHS:
        written = [entry for entry in desk.given(said.Research) if entry.order.path == path]
        old = [] if drawn else written
        gone = desk.replaced(old)
        boards = desk.letter.boards(desk.letter.spots(EMPIRE, gone)[0], gone)
        most = min(board.table.powers[desk.side].treasury for board in boards)
        if most < 1 or desk.letter.refusal(EMPIRE, [said.Research(path, most)], gone) is not None:
            continue
        mine = boards[-1].table.powers[desk.side]
        level, bank = mine.tech.get(path, 0), mine.research.get(path, 0)
        needed = economy.next_level_cost(level)
        waits = "; an advance waits for its design" if end.powers[desk.side].pending.get(path) else ""
        wanted = old[-1].order.amount if old else max(1, needed - bank)
        yield Switch(desk, "research", old).to(
            f"{path} {level}", f"research {path} {{}}", note=f"{bank} of {needed} EP banked for the next{waits}",
            fill=Number(1, most, min(most, wanted)), chosen=bool(old),
        )  # fmt: skip
    if not end.powers[desk.side].treasury:
        yield Closed("research", "0 EP are left", "EN-ECO-6")


# --- doctrine --------------------------------------------------------------------------------------------------------


def doctrines(desk: Desk, fleet: str) -> Wares:
    """6.4: a standing order of the power, or of one of its fleets."""
    record = desk.table.fleets.get((desk.side, fleet))
    in_force = dict(record.doctrine if record else {}) if fleet else {**DEFAULTS, **desk.own.doctrine}
    values = {topic: list(words) for topic, words in PLAIN_DOCTRINES.items()}
    values["retreat"] = ["none", "crippled", "all"]
    values |= {f"direct {kind}": ["none", *(f"at {word}" for word in AIMS)] for kind in FIRE_KINDS}
    for topic, words in values.items():
        mine = [entry for entry in desk.given(said.SetDoctrine) if entry.order.fleet == fleet]
        old = [entry for entry in mine if entry.order.topic == topic]
        switch, now = Switch(desk, "doctrine", old), in_force.get(topic, "")
        note = f"now {now}" if now else ("as the power's" if fleet else "now plain aim")
        for word in words:
            if word != now or old:
                order = said.SetDoctrine(fleet, topic, word)
                yield switch.to(f"{topic} {word}", f"doctrine {topic} {word}", order, note=note)
        if topic == "retreat":
            said_so = bool(old) and old[-1].order.value.startswith("losses")
            yield switch.to(
                "retreat at losses of a percentage", "doctrine retreat losses {}", note=note, chosen=said_so,
                fill=Number(1, MOST_PERCENT, USUAL_LOSSES),
            )  # fmt: skip
