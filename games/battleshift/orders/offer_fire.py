"""What weapons can be told: batteries, missiles, interceptors, which ships are lost first (BS-ATK, BS-MSL, BS-INT)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from games.battleshift.data import BATTERIES, NUMBERS, WEAPONS
from games.battleshift.orders import records as o
from games.battleshift.orders.desk import MOST_NAMED, Desk, Mark, inches_away, point_of
from games.battleshift.rules.missiles import judge_missile
from games.battleshift.rules.moving import inches
from games.battleshift.rules.planets import aim_out, own_quadrants, reach_out
from games.battleshift.rules.sight import aim, pose_of
from games.battleshift.rules.units import Quadrant, Squadron
from pbem.kit.choices import Number
from pbem.kit.scene import Shot

Aim = Callable[[Squadron | Quadrant, Mark], int | None]
"""The number a shooter needs against a target; None: it cannot be reached."""
SELECTORS = {
    "nearest": "the nearest",
    "best": "where most damage is to be expected",
    "biggest": "the greatest size",
    "weakest": "the least hull left",
    "damaged": "the most damaged",
    "flagship": "a flagship's squadron",
    "carriers": "a squadron with bays",
    "unsuppressed": "the fewest markers",
    "suppressed": "the most markers",
    "smallest": "the least size",
    "farthest": "the farthest",
}
MOST_WINGS = 12


def spoken(weapon: str) -> str:
    """As orders write it."""
    return "heavyion" if weapon == "heavy_ion" else weapon


# --- batteries -------------------------------------------------------------------------------------------------------


def offer_fire(desk: Desk) -> None:
    shooters = _shooters(desk)
    carried = [weapon for weapon in BATTERIES if any(_count(one, weapon) for one in shooters)]
    if not carried:
        return
    super_line = desk.lines_of("fire super") if _fires_super(desk) else ()
    for weapon in carried:
        group = f"fire {spoken(weapon)}"
        if super_line and weapon != "super":
            desk.close(group, f"{desk.unit} fires super heavy, and nothing else this turn", "BS-V-42")
        else:
            _offer_weapon(desk, group, weapon, [one for one in shooters if _count(one, weapon)])
    for selector, meaning in SELECTORS.items():
        desk.add("fire all", f"all batteries at {selector}", f"fire all at {selector}", note=meaning)
    desk.add("fire all", "hold all fire", "fire none", note="missiles have a line of their own")


def _fires_super(desk: Desk) -> bool:
    return any(order.weapon == "super" and order.targets for order in desk.given(o.Fire))


def _shooters(desk: Desk) -> list[Squadron | Quadrant]:
    body = desk.body
    if body is not None:
        return list(own_quadrants(body)) if body.side == desk.side else []
    return [squadron for squadron in desk.squadrons if squadron.active]


def _count(shooter: Squadron | Quadrant, weapon: str) -> int:
    return shooter.count(weapon) if isinstance(shooter, Quadrant) else shooter.weapons(weapon)


def _offer_weapon(desk: Desk, group: str, weapon: str, shooters: list[Squadron | Quadrant]) -> None:
    switches = desk.table.switches
    drops = _excluded_by_super(desk) if weapon == "super" else set[int]()
    disabling = switches.disable_fire and weapon not in ("ion", "heavy_ion", "super")

    def number(shooter: Squadron | Quadrant, mark: Mark, *, disable: bool = False) -> int | None:
        if isinstance(shooter, Quadrant):
            return aim_out(desk.table, shooter, weapon, mark.target, WEAPONS[weapon].base - int(disable))
        return aim(desk.table, shooter, pose_of(shooter), weapon, mark.target, disable=disable)

    marks = _reached(shooters, [*desk.foes(), *_bombarded(desk)], number)
    for mark, numbers in marks:
        note = f"{inches_away(mark)}, {_needs(numbers)}"
        shot = (Shot(point_of(desk.spots[0]), point_of(mark.spot), desk.side, hit=True),)
        line, faint = f"{group} at {mark.name}", bool(drops)
        desk.add(group, f"at {mark.name}", line, note=note, spot=mark.spot, marks=shot, drops=drops, faint=faint)
        if disabling and not isinstance(mark.target, Quadrant):
            numbers = {one.name: found for one in shooters if (found := number(one, mark, disable=True))}
            note = f"{inches_away(mark)}, {_needs(numbers)}; ships are disabled, not destroyed"
            label, line = f"at {mark.name} to disable", f"{line} to disable"
            desk.add(group, label, line, note=note, spot=mark.spot, marks=shot, drops=drops, faint=faint)
    for selector, meaning in SELECTORS.items():
        now = f", now {marks[0][0].name}" if marks and selector == "nearest" else ""
        line = f"{group} at {selector}"
        desk.add(group, f"at {selector}", line, note=meaning + now, drops=drops, faint=bool(drops))
    desk.add(group, "silent", f"{group} none")
    if not marks:
        reach = reach_out(desk.body, weapon) if desk.body is not None else WEAPONS[weapon].range
        _close_range(desk, group, reach, "BS-ATK-3", arc=weapon)


def _excluded_by_super(desk: Desk) -> set[int]:
    """BS-V-42, BS-V-60: lines that a super heavy shot puts out."""
    gone = set(desk.lines_of("launch", "missiles"))
    return gone.union(*(desk.lines_of(f"fire {weapon}") for weapon in BATTERIES if weapon != "super"))


def _bombarded(desk: Desk) -> list[Mark]:
    """Quadrants can be fired at by ships only."""
    return desk.grounds() if desk.body is None else []


def _reached(
    shooters: Iterable[Squadron | Quadrant], marks: Iterable[Mark], number: Aim
) -> list[tuple[Mark, dict[str, int]]]:
    """The nearest targets in reach now, with the number each shooter needs."""
    found: list[tuple[Mark, dict[str, int]]] = []
    for mark in marks:
        numbers = {one.name: needed for one in shooters if (needed := number(one, mark)) is not None}
        if numbers:
            found.append((mark, numbers))
        if len(found) == MOST_NAMED:
            break
    return found


def _needs(numbers: dict[str, int]) -> str:
    if len(set(numbers.values())) == 1:
        return f"needs {next(iter(numbers.values()))} or less" + ("" if len(numbers) == 1 else ", all")
    return "needs " + ", ".join(f"{name} {number}" for name, number in numbers.items())


def _close_range(desk: Desk, group: str, reach: int, rule: str, arc: str = "") -> None:
    foes = desk.foes()
    if not foes:
        desk.close(group, "there is no enemy on the table", rule)
        return
    words = " of a quadrant that has it" if desk.body is not None else " in its arc and in sight" if arc else ""
    why = f'nobody within {inches(reach)}"{words} now: {foes[0].name}, the nearest, is {inches_away(foes[0])} away'
    desk.close(group, why, rule)


# --- missiles --------------------------------------------------------------------------------------------------------


def offer_missiles(desk: Desk) -> None:
    shooters = [one for one in _shooters(desk) if _count(one, "missile")]
    if not shooters:
        return
    if _fires_super(desk):
        desk.close("missiles", f"{desk.unit} fires super heavy: it launches nothing this turn", "BS-V-60")
        return

    def lock(shooter: Squadron | Quadrant, mark: Mark) -> int | None:
        if isinstance(shooter, Quadrant):
            return aim_out(desk.table, shooter, "missile", mark.target, NUMBERS.lock)
        choice = judge_missile(desk.table, shooter, mark.target)
        return choice.number if choice is not None else None

    targets = [*desk.foes(), *desk.foreign_flights(), *_bombarded(desk)]
    marks = _reached(shooters, sorted(targets, key=lambda mark: mark.far), lock)
    for mark, numbers in marks:
        note = f"{inches_away(mark)}, lock {_needs(numbers)}"
        shot = (Shot(point_of(desk.spots[0]), point_of(mark.spot), desk.side, hit=True),)
        desk.add("missiles", f"at {mark.name}", f"missiles at {mark.name}", note=note, spot=mark.spot, marks=shot)
    for selector, meaning in {**SELECTORS, "flights": "the nearest enemy flight"}.items():
        desk.add("missiles", f"at {selector}", f"missiles at {selector}", note=meaning)
    desk.add("missiles", "none away", "missiles none")
    if not marks:
        reach = reach_out(desk.body, "missile") if desk.body is not None else WEAPONS["missile"].range
        _close_range(desk, "missiles", reach, "BS-MSL-1")


# --- doctrines -------------------------------------------------------------------------------------------------------

INTERCEPTS = {
    "any": "whatever comes near",
    "missiles": "missiles alone",
    "fighters": "flights alone",
    "self": "only what is aimed at it",
    "none": "nothing",
}


def offer_intercepts(desk: Desk) -> None:
    """BS-INT-7: what interceptors, or the wings of a flight, react to."""
    if desk.kind != "flight" and not any(_intercepts(squadron) for squadron in desk.squadrons):
        return
    for word, meaning in INTERCEPTS.items():
        desk.add("intercept", word, f"intercept {word}", note=meaning)
    note = "only groups of so many missiles or wings"
    desk.add("intercept", "any, from a number on", "intercept any min {}", note=note, fill=Number(2, MOST_WINGS, 3))
    desk.add("standing", "intercept any, every turn", "standing intercept any")


def _intercepts(squadron: Squadron) -> bool:
    return bool(squadron.weapons("interceptor") or (squadron.size == 1 and squadron.weapons("light")))


def offer_light_guns(desk: Desk) -> None:
    """BS-WPN-3: destroyers' light guns."""
    if not any(squadron.size == 1 and squadron.weapons("light") for squadron in desk.squadrons):
        return
    desk.add("lightguns", "auto", "lightguns auto", note="battery in its own activation, interceptor in the enemy's")
    desk.add("lightguns", "battery", "lightguns battery", note="never as interceptors")
    desk.add("lightguns", "interceptor", "lightguns interceptor", note="never as batteries")


def offer_losses(desk: Desk) -> None:
    """BS-DST-4: which ship goes first."""
    ships = [ship for squadron in desk.squadrons for ship in squadron.active]
    if len(ships) < 2:
        return
    desk.add("lose", "front first", "lose front", note="the ship nearest to the attackers")
    desk.add("lose", "rear first", "lose rear", note="the ship farthest from them")
    flagships = {squadron.flagship for squadron in desk.squadrons}
    for ship in ships if desk.squadron is not None else ():
        if ship not in flagships:
            desk.add("lose", f"{ship.name} first", f"lose {ship.name}", spot=ship.spot)
