"""What a side and its taskforces can be told: sequence, initiative, mode, command, shifts (BS-TURN, BS-TF, BS-SHF)."""

from __future__ import annotations

from collections.abc import Iterator

from games.battleshift.orders import records as o
from games.battleshift.orders.desk import Desk, point_of
from games.battleshift.orders.judge import Checker
from games.battleshift.orders.shift_checks import layout_problem
from games.battleshift.rules.moving import at
from games.battleshift.rules.shifting import holding_body, ordered_layouts
from games.battleshift.rules.space import all_sectors, is_free_of_gravity, read_sector, sector_closed
from games.battleshift.rules.turn import detached_items, taskforces_of
from games.battleshift.rules.units import Squadron, Taskforce
from games.battleshift.state import Return
from pbem.kit.choices import Number, Places, Ranking
from pbem.kit.plane import INCH, Sector
from pbem.kit.scene import Point
from pbem.kit.sheet import LONGEST_LINE

FACINGS = {"N": 0, "E": 90, "S": 180, "W": 270}
AWAY = (2, 3)
"""BS-SHF-2: turns until the return; whoever wants to stay away longer writes so."""
PLACES_EVERY = 2 * INCH
MOST_MARKERS = 6
MODES = {
    "volley": "all choose at once; those who agree fire together",
    "staggered": "one after another, each seeing what the last has done",
    "concentrate": "one target for all who can reach it",
}


# --- the side --------------------------------------------------------------------------------------------------------


def offer_fleet(desk: Desk) -> None:
    own = [item.name for item in taskforces_of(desk.table, desk.side)]
    _ranking(desk, "sequence", own, "taskforces in the order in which they act")
    loose = [item.name for item in detached_items(desk.table, desk.side) if isinstance(item, Squadron)]
    _ranking(desk, "detached", loose, "detached squadrons in the order in which they act")
    desk.add("initiative", "act first", "initiative first", note="if the roll is won")
    desk.add("initiative", "act second", "initiative second", note="if the roll is won")
    record = next(record for record in desk.table.state.sides if record.id == desk.side)
    if record.standing or any(desk.trial.standing.values()):
        desk.add("standing", "forget all standing orders", "standing clear", note="of every unit")


def _ranking(desk: Desk, verb: str, names: list[str], note: str) -> None:
    if len(names) < 2:
        return
    if len(f"{verb} {', '.join(names)}") > LONGEST_LINE:
        why = f"{len(names)} names do not fit into one line of {LONGEST_LINE} letters: name the first"
        desk.close(verb, why, "BS-V-1")
        return
    desk.add(verb, note, f"{verb} {{}}", fill=Ranking(tuple(names)))


# --- taskforces ------------------------------------------------------------------------------------------------------


def offer_mode(desk: Desk) -> None:
    if desk.taskforce is not None and len(desk.squadrons) > 1:
        for mode, meaning in MODES.items():
            desk.add("mode", mode, f"mode {mode}", note=meaning)


def offer_members(desk: Desk) -> None:
    """BS-TF-5, -8, -9: who leads, who leaves, who joins."""
    tf, squadron = desk.taskforce, desk.squadron
    if tf is not None:
        _offer_flagship(desk, tf)
        _offer_joining(desk, tf)
    if squadron is None or squadron.taskforce is None or not squadron.active:
        return
    if not desk.add("detach", "leave its taskforce", "detach", note=f"it leaves {squadron.taskforce.name}"):
        desk.close("detach", f"{squadron.name} has the flagship: transfer command first", "BS-V-32")


def _offer_flagship(desk: Desk, tf: Taskforce) -> None:
    for squadron in tf.living:
        if squadron is tf.flagship.squadron or not squadron.active:
            continue
        note = f"size {squadron.size}, at {at(squadron.active[0].spot)}"
        if not desk.add("flagship", squadron.name, f"flagship {squadron.name}", note=note):
            why = (
                f"{squadron.name} is size {squadron.size}, the flagship {tf.flagship.name} size {tf.flagship.cls.size}"
            )
            desk.close("flagship", why, "BS-V-33")


def _offer_joining(desk: Desk, tf: Taskforce) -> None:
    joining = {order.unit for order in desk.given(o.Add)}
    for squadron in desk.table.on_table(desk.side):
        if squadron.taskforce is not None or squadron.is_prize or squadron.name in joining:
            continue
        order = desk.trial.read(desk.unit, f"add {squadron.name}")
        why = desk.trial.draws((order,))
        if why:
            desk.close("add", why[0].reason, why[0].rule)
        else:
            desk.add("add", squadron.name, f"add {squadron.name}", note=f"joins {tf.name} when it deactivates")


# --- leaving and coming ----------------------------------------------------------------------------------------------


def offer_shifts(desk: Desk) -> None:
    """BS-SHF-1..6: planned shifts with the sectors open to them."""
    lead = desk.lead
    if lead is None or lead.cls.is_station or desk.kind not in ("taskforce", "squadron") or not lead.present:
        return
    why = _why_not_shifted(desk, lead)
    if why:
        desk.close("shift", *why)
        return
    turn = desk.table.turn
    for facing in FACINGS:
        places = _sectors(desk, lead, facing)
        for away in AWAY if places else ():
            line = f"shift out return turn {turn + away} sector {{}} facing {facing}"
            label, note = f"back in turn {turn + away}, facing {facing}", f"{len(places)} sectors are open"
            desk.add("shift", label, line, note=note, fill=Places(places))
    desk.add("shift", "out for good", "shift out", note="it never returns; scored as an escape")


def _why_not_shifted(desk: Desk, lead: Squadron) -> tuple[str, str] | None:
    if desk.table.switches.shift == "none":
        return "there is no shifting in this battle", "BS-SHF-11"
    if desk.squadron is not None and lead.taskforce is not None:
        return f"{lead.name} is in {lead.taskforce.name}: detach it, or let all shift", "BS-V-40"
    if lead.now.arrived_turn == desk.table.turn:
        return f"it arrived in turn {desk.table.turn}", "BS-V-37"
    for squadron in desk.squadrons:
        held = holding_body(desk.table, squadron)
        if held:
            return f"{squadron.name} is {held}, 12.00 needed", "BS-V-39"
    return None if lead.active else ("the flagship is disabled", "BS-DIS-4")


def _sectors(desk: Desk, lead: Squadron, facing: str) -> dict[str, Point]:
    """BS-V-38, BS-V-41: sectors that are open, and in which all ships find a place."""
    checker = Checker(desk.names, desk.sheet.accepted)
    counts = {squadron: len(squadron.active) for squadron in desk.squadrons}
    # Far from all bodies a layout about the centre fits everywhere or nowhere.
    placed = bool(ordered_layouts(checker.book(), [squadron.name for squadron in counts]))
    fits_anywhere: bool | None = None
    found = {}
    for sector in all_sectors(desk.table):
        back = Return(desk.table.turn, sector.name, FACINGS[facing])
        if not placed and is_free_of_gravity(desk.table, sector):
            if fits_anywhere is None:
                fits_anywhere = not layout_problem(checker, back, counts, lead)
            fits = fits_anywhere
        else:
            shut = sector_closed(desk.table, desk.side, sector) is not None
            fits = not shut and not layout_problem(checker, back, counts, lead)
        if fits:
            found[sector.name] = point_of(sector.centre)
    return found


def offer_arrivals(desk: Desk) -> None:
    """BS-SHF-8: where a squadron stands when it comes back, by points two inches apart."""
    squadron = desk.squadron
    if squadron is None or desk.kind != "squadron":
        return
    back = _return_of(desk, squadron)
    sector = read_sector(back.sector, desk.table.state.width_ft, desk.table.state.height_ft) if back else None
    if back is None or sector is None:
        return
    gone = desk.lines_of("arrive")
    points = {
        text: point
        for text, point in points_in(sector)
        if desk.trial.stands((desk.trial.read(desk.unit, f"arrive at {text}"),), gone)
    }
    if points:
        note = f"in {back.sector} in turn {back.turn}, facing {back.facing:03d}"
        desk.add("arrive", "at a place", "arrive at {}", note=note, fill=Places(points), is_proven=True)


def points_in(sector: Sector) -> Iterator[tuple[str, Point]]:
    """Places of a sector as orders write them."""
    left, top, right, bottom = sector.bounds
    for y in range(top + PLACES_EVERY, bottom, PLACES_EVERY):
        for x in range(left + PLACES_EVERY, right, PLACES_EVERY):
            yield f"{x // INCH},{y // INCH}", point_of((x, y))


def _return_of(desk: Desk, squadron: Squadron) -> Return | None:
    tf = squadron.taskforce
    known = squadron.now.returns or (tf.now.returns if tf is not None else None)
    if known is not None:
        return known
    unit = tf.name if tf is not None else squadron.name
    shifts = [e.order.detail for e in desk.sheet.accepted if e.order.unit == unit and e.order.slot == "shift"]
    last = shifts[-1] if shifts else None
    return last.back if isinstance(last, o.Shift) else None


def offer_escapes(desk: Desk) -> None:
    """BS-SHF-10: emergency shifts, at once or when it has become too hot."""
    if desk.kind not in ("taskforce", "squadron") or not any(s.active for s in desk.squadrons):
        return
    if desk.table.switches.shift == "none":
        desk.close("escape", "there is no shifting in this battle", "BS-SHF-11")
        return
    hurt = Number(1, 300, 90)
    note = "of the total, tested at its own move; it leaves for good"
    desk.add("escape", "when damaged", "escape when damage >= {}%", note=note, fill=hurt)
    desk.add(
        "escape", "when suppressed", "escape when suppression >= {}", note="markers", fill=Number(1, MOST_MARKERS, 3)
    )
    ships = max(len(squadron.active) for squadron in desk.squadrons)
    desk.add("escape", "when few are left", "escape when ships <= {}", note="active ships", fill=Number(1, ships, 1))
    held = next((why for squadron in desk.squadrons if (why := holding_body(desk.table, squadron))), "")
    if held:
        desk.close("escape", f"not at once: {held}, 12.00 needed", "BS-SHF-4")
    else:
        desk.add("escape", "at once", "escape", note="it leaves for good")
    label, line = "escape when damaged, every turn", "standing escape when damage >= {}%"
    desk.add("standing", label, line, note=note, fill=hurt)


def offer_clearing(desk: Desk) -> None:
    if desk.trial.standing.get(desk.unit):
        lines = "; ".join(order.text for order in desk.trial.standing[desk.unit])
        desk.add("standing", "forget its standing orders", "standing clear", note=lines)
