"""A simple opponent: repairs, builds, gathers fleets with troops aboard, and takes what it can; always legal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from games.encounters.data import catalogue
from games.encounters.rules.economy import example_stats
from games.encounters.tables import tables
from games.encounters.view import DesignView, EmpireView, FleetView, SystemView, UnitView, View
from pbem.kit.dice import Dice

WARSHIPS = ("Escort", "Cruiser", "Capital", "Supercapital")
DRAWN = {
    "Escort": "DD", "Cruiser": "CA", "Capital": "BB", "Supercapital": "DN", "Flight": "FI", "Troop": "IN",
    "Auxiliary": "TP", "Station": "BS", "Fortification": "DF",
}  # fmt: skip
GARRISON, TRANSPORTS_WANTED, TROOPS_WANTED = 1, 3, 6
UPKEEP_SHARE = 0.8
RICH, VERY_RICH = 30, 60
STRONG_FLEET = 8
WAY, THRONE, CROWD = 3, 8, 3
NO_ROOM, NO_WAY = 99, 99
GUESSED_UNITS = 5
HOME_GROUND = 3


def bot(view: View, dice: Dice) -> str:
    if view.side is None or view.own is None or view.ended:
        return ""
    if view.phase == "strategic":
        return strategic_orders(view, view.own, dice)
    return battle_orders(view) if view.phase == "battle" else ground_orders(view)


# --- strategic -------------------------------------------------------------------------------------------------------


@dataclass
class Desk:
    """What the bot has left to spend while it writes."""

    view: View
    own: EmpireView
    funds: int
    lines: list[str] = field(default_factory=list)
    yard: dict[str, int] = field(default_factory=dict)
    works: dict[str, int] = field(default_factory=dict)
    repairing: set[str] = field(default_factory=set)
    boarded: dict[int, int] = field(default_factory=dict)
    """CV taken this turn, by carrier."""
    embarked: set[int] = field(default_factory=set)


def strategic_orders(view: View, own: EmpireView, dice: Dice) -> str:
    desk = Desk(view, own, own.funds)
    for system in own_systems(view):
        desk.yard[system.name] = free(system.yard) if not system.blockaded else 0
        desk.works[system.name] = free(system.works) if not system.blockaded else 0
    use_advances(desk)
    repair_ships(desk)
    build_units(desk)
    grow(desk, dice)
    command_fleets(desk)
    return "\n".join(desk.lines) + "\n"


def free(pair: tuple[int, int] | None) -> int:
    return max(0, pair[0] - pair[1]) if pair else 0


def own_systems(view: View) -> list[SystemView]:
    return [system for system in view.systems if system.owner == view.side]


def own_units(view: View, system: str | None = None) -> list[UnitView]:
    return [unit for unit in view.units if unit.owner == view.side and system in (None, unit.location)]


def use_advances(desk: Desk) -> None:
    for path in sorted(desk.own.pending):
        if desk.own.pending[path]:
            level = desk.own.tech[path] + 1
            of = catalogue().classes[DRAWN[path]]
            desk.lines.append(f"design {path} Mark {level} {of.code} {example_stats(of.cp_at(level))}")


def repair_ships(desk: Desk) -> None:
    worn = [unit for unit in own_units(desk.view) if unit.state == "crippled" and unit.category == "ship"]
    bases = {design.name: design.base_cost for design in desk.own.designs}
    for unit in sorted(worn, key=lambda one: (-one.cost, one.id)):
        room = bases.get(unit.design, NO_ROOM)
        if unit.repair <= desk.funds and desk.yard.get(unit.location, 0) >= room and not unit.repairing:
            desk.funds -= unit.repair
            desk.yard[unit.location] -= room
            desk.repairing.add(unit.name)
    # The lines are written after the ships have left their fleets.


def can_grow(desk: Desk) -> bool:
    return desk.own.maintenance <= desk.own.income * UPKEEP_SHARE


def build_units(desk: Desk) -> None:
    """Transports and troops first, then the biggest warship that fits."""
    if not can_grow(desk):
        return
    mine = own_units(desk.view)
    designs = {design.name: design for design in desk.own.designs}
    building = [build.design for build in desk.view.builds]
    transports = sum(1 for unit in mine if unit.path == "Auxiliary" and unit.CV) + building.count("Mule")
    troops = sum(1 for unit in mine if unit.category == "troop") + building.count("Line")
    if transports < TRANSPORTS_WANTED and "Mule" in designs:
        order(desk, designs["Mule"], 1)
    if troops < TROOPS_WANTED + GARRISON * len(own_systems(desk.view)) and "Line" in designs:
        order(desk, designs["Line"], 2)
    warships = [one for one in desk.own.designs if one.path in WARSHIPS and one.cost <= desk.funds]
    for design in sorted(warships, key=lambda one: (-(one.AS + one.DV), one.cost, one.name)):
        if order(desk, design, 1):
            return


def order(desk: Desk, design: DesignView, count: int) -> bool:
    """One build line where it fits, at the place with most room."""
    room = desk.yard if design.category == "ship" else desk.works
    needed = count * design.base_cost
    places = sorted((name for name in room if room[name] >= needed), key=lambda name: (-room[name], name))
    if not places or count * design.cost > desk.funds:
        return False
    desk.funds -= count * design.cost
    room[places[0]] -= needed
    desk.lines.append(f"build {count} {design.name} at {places[0]}")
    return True


def grow(desk: Desk, dice: Dice) -> None:
    """Money nobody needs goes into systems and research."""
    cost = tables().economy.invest_cost
    for system in sorted(own_systems(desk.view), key=lambda one: (-one.RAW, one.name)):
        if desk.funds < RICH or system.blockaded or system.CEN is None or system.PROD is None or system.MOR is None:
            continue
        stat = weakest_stat(system.CEN, system.MOR, system.PROD, system.CAP)
        if stat and system.RAW:
            desk.lines.append(f"invest {stat} at {system.name}")
            desk.funds -= cost
    # An advance that waits for its design comes with it, before the money is spent.
    level = {path: desk.own.tech.get(path, 0) + int(desk.own.pending.get(path, 0)) for path in WARSHIPS}
    open_paths = [path for path in WARSHIPS if 1 <= level[path] < tables().economy.highest_level]
    if desk.funds >= VERY_RICH and open_paths:
        path = open_paths[dice.roll(len(open_paths), "bot", desk.view.side, desk.view.turn, "research").face - 1]
        desk.lines.append(f"research {path} {desk.funds // 2}")
        desk.funds -= desk.funds // 2


def weakest_stat(cen: int, mor: int, prod: int, cap: int) -> str:
    if 2 * mor < cen and mor < min(cen, tables().economy.most_morale):
        return "mor"
    if prod < cen:
        return "prod"
    return "cen" if cen < cap else ""


# --- fleets ----------------------------------------------------------------------------------------------------------


def command_fleets(desk: Desk) -> None:
    """In each system the ships gather in one fleet, the crippled ones stay behind, and the fleet chooses a goal."""
    mine = [fleet for fleet in desk.view.fleets if fleet.owner == desk.view.side]
    claimed: dict[str, int] = {}
    for place in sorted({fleet.location for fleet in mine}):
        here = sorted((fleet for fleet in mine if fleet.location == place), key=lambda one: (-one.CC, one.name))
        command_place(desk, place, here, claimed)


def command_place(desk: Desk, place: str, fleets: Sequence[FleetView], claimed: dict[str, int]) -> None:
    """Gather the fit ships of a system in one fleet, load troops, and send it on."""
    main = fleets[0]
    ships = {unit.name: unit for unit in own_units(desk.view, place) if unit.category == "ship"}
    fit = [name for name in ships if ships[name].state == "intact"]
    worn = [name for name in ships if ships[name].state != "intact"]
    if not fit:
        send_home(desk, place, fleets)
        write_repairs(desk, worn)
        return
    leader = next(fleet for fleet in fleets if any(name in fit for name in fleet.ships))
    main = leader
    part_crippled(desk, main, worn, fit, place, fleets)
    for other in fleets:
        joining = [name for name in other.ships if name in fit and other.name != main.name]
        if joining:
            desk.lines.append(f"{other.name}: transfer {', '.join(joining)} to {main.name}")
    write_repairs(desk, worn)
    embark(desk, place, [ships[name] for name in fit])
    goal = choose_goal(desk, place, [ships[name] for name in fit], claimed)
    way = path_to(desk.view, place, goal) if goal else []
    steps = affordable(desk.view, place, way, 2)
    if steps and goal:
        claimed[goal] = claimed.get(goal, 0) + 1
        desk.lines.append(f"{main.name}: move {', '.join(steps)}")


def part_crippled(
    desk: Desk, main: FleetView, worn: Sequence[str], fit: Sequence[str], place: str, fleets: Sequence[FleetView]
) -> None:
    """Crippled ships would slow the fleet: they lie up in a fleet of their own."""
    slow = [name for name in worn if name in main.ships]
    if not slow:
        return
    dock = next((f.name for f in fleets if f is not main and not any(name in fit for name in f.ships)), "")
    desk.lines.append(f"{main.name}: transfer {', '.join(slow)} to {dock or dock_name(desk.view, place)}")


def dock_name(view: View, place: str) -> str:
    taken, number = {fleet.name for fleet in view.fleets}, 1
    while (name := f"Dock {place} {number}"[:30]) in taken:
        number += 1
    return name


def write_repairs(desk: Desk, names: Iterable[str]) -> None:
    for name in names:
        if name in desk.repairing:
            desk.lines.append(f"Empire: repair {name}")


def send_home(desk: Desk, place: str, fleets: Sequence[FleetView]) -> None:
    """A fleet of crippled ships makes for the nearest yard."""
    yards = {system.name for system in own_systems(desk.view) if system.yard and system.yard[0]}
    if place in yards or not yards:
        return
    goal = min(yards, key=lambda name: (len(path_to(desk.view, place, name)) or NO_WAY, name))
    way = path_to(desk.view, place, goal)
    for fleet in fleets:
        steps = affordable(desk.view, place, way, fleet.MP)
        if steps and not any(name in desk.repairing for name in fleet.ships):
            desk.lines.append(f"{fleet.name}: move {', '.join(steps)}")


def embark(desk: Desk, place: str, ships: Sequence[UnitView]) -> None:
    """Troops beyond the garrison board transports with room, in a free system of the own."""
    system = next(one for one in desk.view.systems if one.name == place)
    hostile = any(contact.system == place for contact in desk.view.contacts)
    if system.owner != desk.view.side or system.blockaded or hostile:
        return
    here = own_units(desk.view, place)
    waiting = [unit for unit in here if unit.category == "troop" and unit.landed and unit.state == "intact"]
    waiting.sort(key=lambda unit: (-unit.AS, unit.id))
    spare = waiting[: max(0, len(waiting) - GARRISON)]
    for ship in ships:
        room = ship.CV - sum(unit.CC for unit in here if unit.carrier == ship.id)
        for unit in list(spare):
            if ship.path == "Auxiliary" and room >= unit.CC:
                room -= unit.CC
                spare.remove(unit)
                desk.embarked.add(unit.id)
                desk.lines.append(f"{ship.name}: load {unit.name}")


def choose_goal(desk: Desk, place: str, ships: Sequence[UnitView], claimed: dict[str, int]) -> str:
    """The best system to go for: threatened own ones, then neutral or hostile ones if there are troops aboard."""
    view = desk.view
    aboard = {ship.id for ship in ships}
    troops = [u for u in own_units(view) if u.category == "troop" and (u.carrier in aboard or u.id in desk.embarked)]
    power = sum(ship.CC for ship in ships if ship.path in WARSHIPS)
    best, best_score = "", 0.0
    for system in view.systems:
        if system.name == place:
            continue
        score = worth(view, system, power, len(troops)) - WAY * len(path_to(view, place, system.name))
        score -= CROWD * claimed.get(system.name, 0)
        if score > best_score and path_to(view, place, system.name):
            best, best_score = system.name, score
    if best or troops or any(one.name == place for one in own_systems(view)):
        return best
    homes = [one.name for one in own_systems(view) if one.yard and one.yard[0]]
    return min(homes, key=lambda name: (len(path_to(view, place, name)), name)) if homes else ""


def worth(view: View, system: SystemView, power: int, troops: int) -> float:
    threat = sum(contact.count or GUESSED_UNITS for contact in view.contacts if contact.system == system.name)
    if system.owner == view.side:
        return 8.0 + system.RAW if threat and power >= STRONG_FLEET else 0.0
    if not troops or bloc_of(view, system.owner):
        return 0.0
    guessed = threat or (0 if system.owner is None else STRONG_FLEET)
    if guessed > power:
        return 0.0
    # A throne in foreign hands wins the campaign for them: it must be taken back.
    pressing = THRONE if system.name == view.throne and system.owner is not None else 0
    return 9.0 + 2 * system.RAW + pressing - (0 if system.owner is None else 3)


def bloc_of(view: View, owner: str | None) -> bool:
    mine = next(power.bloc for power in view.powers if power.key == view.side)
    return owner in mine


# --- ways ------------------------------------------------------------------------------------------------------------


def lanes_from(view: View, system: str) -> list[tuple[str, int]]:
    found = []
    for lane in view.lanes:
        if system in lane.ends and lane.kind != "restricted":
            other = lane.ends[1] if lane.ends[0] == system else lane.ends[0]
            found.append((other, tables().movement.cost_of(lane.kind)))
    return sorted(found)


def path_to(view: View, start: str, goal: str) -> list[str]:
    """The cheapest way, restricted lanes left out; empty if there is none."""
    ways: dict[str, tuple[int, list[str]]] = {start: (0, [])}
    waiting = [start]
    while waiting:
        here = min(waiting, key=lambda name: (ways[name][0], name))
        waiting.remove(here)
        if here == goal:
            return ways[here][1]
        for other, cost in lanes_from(view, here):
            total = ways[here][0] + cost
            if other not in ways or total < ways[other][0]:
                ways[other] = (total, [*ways[here][1], other])
                waiting.append(other)
    return []


def affordable(view: View, start: str, way: Sequence[str], points: int) -> list[str]:
    steps, here = [], start
    for name in way:
        points -= dict(lanes_from(view, here))[name]
        if points < 0:
            break
        steps.append(name)
        here = name
    return steps


# --- battle and ground -----------------------------------------------------------------------------------------------


def battle_orders(view: View) -> str:
    lines = []
    for system in view.places:
        lines += [f"Battle {system}:", *battle_lines(view, system)]
    return "\n".join(lines) + "\n"


def battle_lines(view: View, system: str) -> list[str]:
    """Fight when not outnumbered, else decline and get away."""
    here = own_units(view, system)
    owned = any(one.name == system and one.owner == view.side for one in view.systems)
    counts = [contact.count for contact in view.contacts if contact.system == system]
    enemies = sum(GUESSED_UNITS if count is None else count for count in counts)
    eager = len(here) + (HOME_GROUND if owned else 0) >= enemies
    lines = ["  fight all" if eager else "  decline"]
    lines.append("  retreat losses 60" if eager else "  retreat all")
    lines += [f"  retreat to {name}" for name in refuge(view, system)]
    if any(one.system == system and one.budget for one in view.readiness):
        lines.append("  exclude carriers, biggest")
    if eager:
        lines.append("  pursue yes")
    stations = [unit.name for unit in here if unit.path == "Station" and unit.state == "intact"]
    if stations and eager:
        lines.append(f"  station {', '.join(stations)}")
    return lines


def refuge(view: View, system: str) -> list[str]:
    near = [name for name, _ in lanes_from(view, system)]
    own = [one.name for one in own_systems(view) if one.name in near]
    return own[:1]


def ground_orders(view: View) -> str:
    """Land whatever can land; hold what is held."""
    lines = []
    for system in view.places:
        here = own_units(view, system)
        fit = {unit.id for unit in here if unit.state == "intact" and unit.in_play}
        troops = [unit for unit in here if unit.category == "troop"]
        aboard = [unit for unit in troops if unit.carrier in fit and unit.state == "intact"]
        landed = [unit for unit in troops if unit.landed]
        owner = next(one.owner for one in view.systems if one.name == system)
        lines.append(f"Ground {system}:")
        if bloc_of(view, owner):
            lines.append("  assault" if landed else "  # the garrison stands")
        elif aboard:
            lines.append("  invade")
        elif any(unit.state == "intact" for unit in landed):
            lines.append("  assault")
    return "\n".join(lines) + "\n"
