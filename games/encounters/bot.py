"""A simple opponent: repairs, builds, gathers fleets with troops aboard, and takes what it can; always legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from games.encounters.data import Design, catalogue, tables
from games.encounters.rules.construction import repair_cost
from games.encounters.rules.economy import example_stats
from games.encounters.state import ChartedSystem, Contact, Power, SeenFleet, Unit, Values
from games.encounters.status import neighbours
from games.encounters.view import View
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
FLEET_MP = 2
GUESSED_UNITS = 5
HOME_GROUND = 3


def bot(view: View, dice: Dice) -> str:
    if view.own is None or view.ended:
        return ""
    if view.phase == "strategic":
        return strategic_orders(view, view.own, dice)
    return battle_orders(view) if view.phase == "battle" else ground_orders(view)


# --- strategic -------------------------------------------------------------------------------------------------------


@dataclass
class Desk:
    """What the bot has left to spend while it writes."""

    view: View
    own: Power
    funds: int
    lines: list[str] = field(default_factory=list)
    yard: dict[str, int] = field(default_factory=dict)
    works: dict[str, int] = field(default_factory=dict)
    repairing: set[str] = field(default_factory=set)
    embarked: set[int] = field(default_factory=set)


def strategic_orders(view: View, own: Power, dice: Dice) -> str:
    desk = Desk(view, own, own.treasury)
    for system in own_systems(view):
        figures = view.figures[system.name]
        for room, (capacity, used) in ((desk.yard, figures.yard or (0, 0)), (desk.works, figures.works or (0, 0))):
            room[system.name] = 0 if figures.blockaded else max(0, capacity - used)
    use_advances(desk)
    repair_ships(desk)
    build_units(desk)
    grow(desk, dice)
    command_fleets(desk)
    return "\n".join(desk.lines) + "\n"


def own_systems(view: View) -> list[ChartedSystem]:
    return [system for system in view.systems.values() if system.owner == view.side]


def own_yards(view: View) -> list[str]:
    yards = {name: figures.yard for name, figures in view.figures.items()}
    return [system.name for system in own_systems(view) if (yard := yards[system.name]) and yard[0]]


def own_units(view: View, category: str, system: str | None = None) -> list[Unit]:
    return [unit for unit in view.units_of(view.side, system) if view.design(unit).category == category]


def use_advances(desk: Desk) -> None:
    for path in sorted(desk.own.pending):
        if desk.own.pending[path]:
            level = desk.own.tech[path] + 1
            of = catalogue().classes[DRAWN[path]]
            desk.lines.append(f"design {path} Mark {level} {of.code} {example_stats(of.cp_at(level))}")


def repair_ships(desk: Desk) -> None:
    """Put the dearest crippled ships in the yards; the lines are written after the ships have left their fleets."""
    view = desk.view
    worn = [unit for unit in own_units(view, "ship") if unit.state == "crippled"]
    for unit in sorted(worn, key=lambda ship: (-view.design(ship).cost, ship.id)):
        design = view.design(unit)
        room = design.base_cost if unit.design in desk.own.designs else NO_ROOM
        cost = repair_cost(design)
        if cost <= desk.funds and desk.yard.get(unit.location, 0) >= room and not unit.repairing:
            desk.funds -= cost
            desk.yard[unit.location] -= room
            desk.repairing.add(unit.name)


def build_units(desk: Desk) -> None:
    """Transports and troops first, then the biggest warship that fits; nothing if the upkeep eats the income."""
    view, books = desk.view, desk.view.books[desk.own.key]
    if books.maintenance > books.income * UPKEEP_SHARE:
        return
    designs = {view.designs[key].name: view.designs[key] for key in books.designs}
    building = [view.designs[build.design].name for build in view.builds]
    hulls = [view.design(ship) for ship in own_units(view, "ship")]
    transports = sum(1 for hull in hulls if hull.path == "Auxiliary" and hull.CV) + building.count("Mule")
    troops = len(own_units(view, "troop")) + building.count("Line")
    if transports < TRANSPORTS_WANTED and "Mule" in designs:
        order(desk, designs["Mule"], 1)
    if troops < TROOPS_WANTED + GARRISON * len(own_systems(view)) and "Line" in designs:
        order(desk, designs["Line"], 2)
    warships = [design for design in designs.values() if design.path in WARSHIPS and design.cost <= desk.funds]
    for design in sorted(warships, key=lambda hull: (-(hull.AS + hull.DV), hull.cost, hull.name)):
        if order(desk, design, 1):
            return


def order(desk: Desk, design: Design, wanted: int) -> bool:
    """One build line where it fits, at the place with most room."""
    room = desk.yard if design.category == "ship" else desk.works
    needed = wanted * design.base_cost
    places = sorted((name for name in room if room[name] >= needed), key=lambda name: (-room[name], name))
    if not places or wanted * design.cost > desk.funds:
        return False
    desk.funds -= wanted * design.cost
    room[places[0]] -= needed
    desk.lines.append(f"build {wanted} {design.name} at {places[0]}")
    return True


def grow(desk: Desk, dice: Dice) -> None:
    """Money nobody needs goes into systems and research."""
    cost = tables().economy.invest_cost
    for system in sorted(own_systems(desk.view), key=lambda owned: (-owned.RAW, owned.name)):
        if desk.funds < RICH or desk.view.figures[system.name].blockaded:
            continue
        stat = weakest_stat(desk.view.values[system.name], system.CAP)
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


def weakest_stat(now: Values, cap: int) -> str:
    most_morale = min(now.CEN, tables().economy.most_morale)
    lacking = {"mor": 2 * now.MOR < now.CEN and most_morale > now.MOR, "prod": now.PROD < now.CEN, "cen": cap > now.CEN}
    return next((stat for stat, lacks in lacking.items() if lacks), "")


# --- fleets ----------------------------------------------------------------------------------------------------------


def command_fleets(desk: Desk) -> None:
    """In each system the ships gather in one fleet, the crippled ones stay behind, and the fleet chooses a goal."""
    mine = [fleet for fleet in desk.view.fleets if fleet.owner == desk.view.side]
    claimed: dict[str, int] = {}
    figures = desk.view.flotillas.get(desk.own.key, {})
    mine.sort(key=lambda fleet: (-figures[fleet.name].CC, fleet.name))
    for place in sorted({fleet.location for fleet in mine}):
        command_place(desk, place, [fleet for fleet in mine if fleet.location == place], claimed)


def ships_in(view: View, fleet: SeenFleet) -> tuple[str, ...]:
    return view.flotillas[fleet.owner][fleet.name].ships


def command_place(desk: Desk, place: str, fleets: Sequence[SeenFleet], claimed: dict[str, int]) -> None:
    """Gather the fit ships of a system in one fleet, load troops, and send it on."""
    view = desk.view
    ships = own_units(view, "ship", place)
    fit, worn = [ship.name for ship in ships if ship.intact], [ship.name for ship in ships if not ship.intact]
    if not fit:
        send_home(desk, place, fleets)
        write_repairs(desk, worn)
        return
    main = next(fleet for fleet in fleets if any(name in fit for name in ships_in(view, fleet)))
    part_crippled(desk, main, worn, fit, place, fleets)
    for other in fleets:
        joining = [name for name in ships_in(view, other) if name in fit and other.name != main.name]
        if joining:
            desk.lines.append(f"{other.name}: transfer {', '.join(joining)} to {main.name}")
    write_repairs(desk, worn)
    able, ways = [ship for ship in ships if ship.intact], ways_from(view, place)
    embark(desk, place, able)
    goal = choose_goal(desk, place, able, ways, claimed)
    if move(desk, main, ways.get(goal, ()), FLEET_MP):
        claimed[goal] = claimed.get(goal, 0) + 1


def move(desk: Desk, fleet: SeenFleet, way: Way, points: int) -> bool:
    """As far along the way as the movement points reach."""
    steps = [name for name, spent in way if spent <= points]
    if steps:
        desk.lines.append(f"{fleet.name}: move {', '.join(steps)}")
    return bool(steps)


def part_crippled(
    desk: Desk, main: SeenFleet, worn: Sequence[str], fit: Sequence[str], place: str, fleets: Sequence[SeenFleet]
) -> None:
    """Crippled ships would slow the fleet: they lie up in a fleet of their own."""
    view = desk.view
    slow = [name for name in worn if name in ships_in(view, main)]
    if not slow:
        return
    idle = [fleet.name for fleet in fleets if not any(name in fit for name in ships_in(view, fleet))]
    dock = idle[0] if idle else dock_name(view, place)
    desk.lines.append(f"{main.name}: transfer {', '.join(slow)} to {dock}")


def dock_name(view: View, place: str) -> str:
    taken = {fleet.name for fleet in view.fleets}
    return next(name for number in count(1) if (name := f"Dock {place} {number}"[:30]) not in taken)


def write_repairs(desk: Desk, names: Iterable[str]) -> None:
    desk.lines += [f"Empire: repair {name}" for name in names if name in desk.repairing]


def send_home(desk: Desk, place: str, fleets: Sequence[SeenFleet]) -> None:
    """A fleet of crippled ships makes for the nearest yard."""
    view, yards = desk.view, own_yards(desk.view)
    if place in yards or not yards:
        return
    ways = ways_from(view, place)
    goal = min(yards, key=lambda name: (len(ways.get(name, ())) or NO_WAY, name))
    for fleet in fleets:
        figures = view.flotillas[fleet.owner][fleet.name]
        if not any(name in desk.repairing for name in figures.ships):
            move(desk, fleet, ways.get(goal, ()), figures.MP)


def embark(desk: Desk, place: str, ships: Sequence[Unit]) -> None:
    """Troops beyond the garrison board transports with room, in a free system of the own."""
    view = desk.view
    hostile = any(presence.system == place for presence in view.presences)
    if view.systems[place].owner != view.side or view.figures[place].blockaded or hostile:
        return
    waiting = [unit for unit in own_units(view, "troop", place) if unit.landed and unit.intact]
    waiting.sort(key=lambda troop: (-view.design(troop).AS, troop.id))
    spare = waiting[: max(0, len(waiting) - GARRISON)]
    for ship in (ship for ship in ships if view.design(ship).path == "Auxiliary"):
        load = [view.design(unit).CC for unit in view.units_of(view.side, place) if unit.carrier == ship.id]
        room = view.design(ship).CV - sum(load)
        for troop in list(spare):
            if room >= view.design(troop).CC:
                room -= view.design(troop).CC
                spare.remove(troop)
                desk.embarked.add(troop.id)
                desk.lines.append(f"{ship.name}: load {troop.name}")


def choose_goal(desk: Desk, place: str, ships: Sequence[Unit], ways: Mapping[str, Way], claimed: dict[str, int]) -> str:
    """The best system to go for: threatened own ones, then neutral or hostile ones if there are troops aboard."""
    view = desk.view
    aboard = {ship.id for ship in ships}
    troops = [u for u in own_units(view, "troop") if u.carrier in aboard or u.id in desk.embarked]
    hulls = [view.design(ship) for ship in ships]
    power = sum(hull.CC for hull in hulls if hull.path in WARSHIPS)
    best, best_score = "", 0.0
    for system in view.systems.values():
        score = worth(view, system, power, len(troops)) - WAY * len(ways.get(system.name, ()))
        score -= CROWD * claimed.get(system.name, 0)
        if score > best_score and ways.get(system.name):
            best, best_score = system.name, score
    if best or troops or view.systems[place].owner == view.side:
        return best
    return min(own_yards(view), key=lambda name: (len(ways.get(name, ())), name), default="")


def worth(view: View, system: ChartedSystem, power: int, troops: int) -> float:
    threat = sum(contact.count or GUESSED_UNITS for contact in contacts_at(view, system.name))
    if system.owner == view.side:
        return 8.0 + system.RAW if threat and power >= STRONG_FLEET else 0.0
    if not troops or is_friend(view, system.owner):
        return 0.0
    guessed = threat or (0 if system.owner is None else STRONG_FLEET)
    if guessed > power:
        return 0.0
    # A throne in foreign hands wins the campaign for them: it must be taken back.
    pressing = THRONE if system.name == view.victory.throne and system.owner is not None else 0
    return 9.0 + 2 * system.RAW + pressing - (0 if system.owner is None else 3)


def contacts_at(view: View, system: str) -> list[Contact]:
    return [presence.contact for presence in view.presences if presence.system == system]


def is_friend(view: View, owner: str | None) -> bool:
    return view.side is not None and owner in view.relations[view.side].bloc


# --- ways ------------------------------------------------------------------------------------------------------------


Way = tuple[tuple[str, int], ...]
"""The systems along a way, each with the movement points it takes to get there."""


def ways_from(view: View, start: str) -> dict[str, Way]:
    """The cheapest way to every system, restricted lanes left out."""
    ways: dict[str, Way] = {start: ()}
    spent, waiting = {start: 0}, [start]
    while waiting:
        here = min(waiting, key=lambda name: (spent[name], name))
        waiting.remove(here)
        for there, kind in neighbours(view, here).items():
            total = spent[here] + tables().movement.cost[kind]
            if kind != "restricted" and total < spent.get(there, total + 1):
                spent[there], ways[there] = total, (*ways[here], (there, total))
                waiting.append(there)
    return ways


# --- battle and ground -----------------------------------------------------------------------------------------------


def battle_orders(view: View) -> str:
    lines = []
    for system in view.places:
        lines += [f"Battle {system}:", *battle_lines(view, system)]
    return "\n".join(lines) + "\n"


def battle_lines(view: View, system: str) -> list[str]:
    """Fight when not outnumbered, else decline and get away."""
    here = view.units_of(view.side, system)
    owned = view.systems[system].owner == view.side
    counts = [contact.count for contact in contacts_at(view, system)]
    enemies = sum(GUESSED_UNITS if count is None else count for count in counts)
    eager = len(here) + (HOME_GROUND if owned else 0) >= enemies
    lines = ["  fight all" if eager else "  decline"]
    lines.append("  retreat losses 60" if eager else "  retreat all")
    near = [name for name, kind in neighbours(view, system).items() if kind != "restricted"]
    refuges = [name for name in near if view.systems[name].owner == view.side]
    lines += [f"  retreat to {name}" for name in refuges[:1]]
    if any(facing.system == system and facing.readiness.budget for facing in view.facings):
        lines.append("  exclude carriers, biggest")
    if eager:
        lines.append("  pursue yes")
    stations = [unit.name for unit in here if view.design(unit).path == "Station" and unit.intact]
    if stations and eager:
        lines.append(f"  station {', '.join(stations)}")
    return lines


def ground_orders(view: View) -> str:
    """Land whatever can land; hold what is held."""
    lines = []
    for system in view.places:
        fit = {unit.id for unit in view.units_of(view.side, system) if unit.intact and unit.in_play}
        troops = own_units(view, "troop", system)
        aboard = [unit for unit in troops if unit.carrier in fit and unit.intact]
        landed = [unit for unit in troops if unit.landed]
        lines.append(f"Ground {system}:")
        if is_friend(view, view.systems[system].owner):
            lines.append("  assault" if landed else "  # the garrison stands")
        elif aboard:
            lines.append("  invade")
        elif any(unit.intact for unit in landed):
            lines.append("  assault")
    return "\n".join(lines) + "\n"
