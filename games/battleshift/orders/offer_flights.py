"""What carriers and flights can be told (BS-FTR, BS-PLN-9)."""

from __future__ import annotations

from games.battleshift.data import LIMITS
from games.battleshift.orders import records as o
from games.battleshift.orders.desk import MOST_NAMED, Desk, Mark, inches_away, point_of
from games.battleshift.rules.fighters import free_bays, in_touch, leg_end
from games.battleshift.rules.moving import inches
from games.battleshift.rules.reactions import fighter_number
from games.battleshift.rules.space import on_table
from games.battleshift.rules.units import Flight, Squadron
from pbem.kit.choices import Dial, Number
from pbem.kit.plane import INCH, Spot, ceiling_root, displacement, squared
from pbem.kit.scene import Trail

STEP = INCH // 4
EVERY = 5
"""Flights turn as they like: every fifth bearing is enough to choose from."""
NAME_ROOM = 18
SELECTORS = {
    "nearest": "the nearest squadron",
    "best": "where most damage is to be expected",
    "biggest": "the greatest size",
    "weakest": "the least hull left",
    "carriers": "a squadron with bays",
    "flagship": "a flagship's squadron",
    "flights": "the nearest flight",
}


# --- carriers --------------------------------------------------------------------------------------------------------


def offer_launches(desk: Desk) -> None:
    squadron = desk.squadron
    if squadron is None or not squadron.weapons("bay") or not squadron.active:
        return
    launches = desk.given(o.Launch)
    aboard = squadron.now.wings_aboard - sum(order.wings for order in launches)
    out = [flight.name for flight in desk.table.aloft.values() if flight.home is squadron]
    left = LIMITS.flights - len(out) - len(launches)
    if aboard <= 0:
        desk.close("launch", f"no wings are left aboard of {squadron.now.wings_initial}", "BS-V-26")
    elif left <= 0:
        desk.close("launch", f"it has two flights: {', '.join((*out, *(f.name for f in launches)))}", "BS-V-27")
    else:
        name, fill = free_name(desk, squadron.name), Number(1, aboard, aboard)
        note = f"{aboard} wings aboard, {left} more flights may go"
        if not desk.add("launch", f"a flight, {name}", f"launch {{}} as {name}", note=note, fill=fill):
            desk.close("launch", f"{squadron.name} fires super heavy: it launches nothing this turn", "BS-V-60")


def free_name(desk: Desk, carrier: str) -> str:
    """A name that no unit of the side has, nor any launch of the letter."""
    taken = {name.casefold() for name in desk.names.own}
    names = (f"{carrier[:NAME_ROOM]} W{number}" for number in range(desk.table.turn, desk.table.turn + 1000))
    return next(name for name in names if name.casefold() not in taken)


def offer_recoveries(desk: Desk) -> None:
    """BS-FTR-18: one's own flights, and others for which there is room."""
    squadron = desk.squadron
    if squadron is None or not squadron.weapons("bay") or not squadron.active:
        return
    own = [flight for flight in desk.table.aloft.values() if flight.side == desk.side and flight.now.wings > 0]
    ordered = {e.order.detail.flight for e in desk.sheet.accepted if isinstance(e.order.detail, o.Recover)}
    for flight in own:
        if flight.name in ordered or (flight.home is not squadron and not _is_near(squadron, flight)):
            continue
        touching = squadron.acts_near(flight.spot, LIMITS.contact)
        note = f"{flight.now.wings} wings, " + ("in contact" if touching else 'when in contact, 0.50"')
        if not desk.add("recover", flight.name, f"recover {flight.name}", note=note, spot=flight.spot):
            free = free_bays(desk.table, squadron)
            desk.close("recover", f"{free} bays are free for the {flight.now.wings} wings of {flight.name}", "BS-V-31")


def _is_near(squadron: Squadron, flight: Flight) -> bool:
    return squadron.acts_near(flight.spot, LIMITS.flight_move)


# --- flights ---------------------------------------------------------------------------------------------------------


def offer_sorties(desk: Desk) -> None:
    """BS-FTR-5, -6, -21: 24.00" in two legs, the way to a target being one of them."""
    here = _start(desk)
    if here is None:
        return
    dial = _dial(desk, here, LIMITS.flight_move)
    if dial:
        note = f'up to {inches(LIMITS.flight_move)}" in any direction'
        fill = Dial(point_of(here), dial, STEP / INCH)
        desk.add("fly", "on a bearing", "fly {}", note=note, fill=fill, is_proven=True)
    for mark in [*desk.foes(), *desk.grounds()][: 2 * MOST_NAMED]:
        _strike(desk, "strike", mark, here)
    for mark in desk.foreign_flights()[:MOST_NAMED]:
        _strike(desk, "engage", mark, here)
    if desk.foes():
        for selector, meaning in SELECTORS.items():
            if selector != "flights" or desk.foreign_flights():
                desk.add("fly", f"strike {selector}", f"strike {selector}", note=meaning)
        if not any(choice.lines[0].startswith("strike") for choice in desk.choices):
            nearest = desk.foes()[0]
            why = f'{nearest.name}, the nearest, is {inches_away(nearest)} away, a flight moves 24.00"'
            desk.close("fly", why, "BS-V-30")
    desk.add("fly", "hold", "hold", note="attacks a flight in contact")
    _second_leg(desk, here)


def _start(desk: Desk) -> Spot | None:
    """Where the flight is, or the leader of the carrier that launches it in this letter."""
    if desk.flight is not None:
        return desk.flight.spot
    for entry in desk.sheet.accepted:
        order, carrier = entry.order.detail, desk.table.squadron(desk.side, entry.order.unit)
        if isinstance(order, o.Launch) and order.name == desk.unit and carrier is not None and carrier.leader:
            return carrier.leader.spot
    return None


def _dial(desk: Desk, here: Spot, left: int) -> dict[int, float]:
    """Every leg must end on the table, and be no longer than what is left, its rounded end measured."""
    dial = {}
    for bearing in range(0, 360, EVERY):
        far = left - left % STEP
        while far and not _fits(desk, here, bearing, far, left):
            far -= STEP
        if far:
            dial[bearing] = far / INCH
    return dial


def _fits(desk: Desk, here: Spot, bearing: int, far: int, left: int) -> bool:
    dx, dy = displacement(far, bearing)
    end = Spot(here.x + dx, here.y + dy)
    return on_table(desk.table, end) and ceiling_root(squared(here, end)) <= left


def _strike(desk: Desk, verb: str, mark: Mark, here: Spot) -> None:
    flight = desk.flight
    number = f", needs {fighter_number(flight, mark.target)} or less" if flight is not None else ""
    touching = " in contact" if flight is not None and in_touch(flight, mark.target) else inches_away(mark)
    trail = Trail((point_of(here), point_of(mark.spot)), desk.side, "plotted", (1,))
    note, line = f"{touching.strip()}{number}", f"{verb} {mark.name}"
    if flight is None and mark.far > LIMITS.flight_move:
        return
    desk.add("fly", line, line, note=note, spot=mark.spot, marks=(trail,))


def _second_leg(desk: Desk, here: Spot) -> None:
    """A flight told to fly one leg may turn once more, or strike at its end."""
    given = [e for e in desk.sheet.accepted if e.order.unit == desk.unit and isinstance(e.order.detail, o.Fly)]
    order = given[-1].order.detail if given else None
    if not isinstance(order, o.Fly) or len(order.before) != 1 or order.strike is not None or given[-1].order.standing:
        return
    turn = leg_end(here, order.before[0])
    left, text = LIMITS.flight_move - ceiling_root(squared(here, turn)), given[-1].text
    dial = _dial(desk, turn, left)
    if dial:
        fill, note = Dial(point_of(turn), dial, STEP / INCH), f'{inches(left)}" are left'
        desk.add("second leg", "then on a bearing", f"{text} then {{}}", note=note, fill=fill, is_proven=True)
    for mark in [*desk.foes(), *desk.foreign_flights()][:MOST_NAMED]:
        line = f"{text} then strike {mark.name}"
        desk.add("second leg", f"then strike {mark.name}", line, note=inches_away(mark), spot=mark.spot)


def offer_dogfights(desk: Desk) -> None:
    """BS-FTR-12, -14: what it does when met, and what it meets."""
    desk.add("if intercepted", "dogfight", "if intercepted dogfight", note="its move ends, both roll in full")
    desk.add("if intercepted", "evade", "if intercepted evade", note="2 less to hit, dodges 1 better, and flies on")
    own = [squadron.name for squadron in desk.table.on_table(desk.side)]
    for name in desk.nearest_own(own, 4):
        note = "only flights and missiles aimed at it"
        desk.add("intercept", f"guard {name}", f"guard {name}", note=note)
