"""Chapter 4.15: breaching pods and the squads they bring."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import Catalogue
from games.broadsides.rules.asteroids import asteroid_hits, heat
from games.broadsides.rules.craft import step_toward
from games.broadsides.rules.criticals import destroy
from games.broadsides.rules.damage import Location, Wounds
from games.broadsides.state import Fighter, Flight, Ship, Squad
from games.broadsides.table import Table
from pbem.kit.table import Tally

POD_REACH = 10
BOARDABLE = ("Capital", "Enormous", "Base")
SQUAD_DAMAGE = 10
KILLED_UP_TO, PINNED_UP_TO, MOVES_AT, STRUCTURE_AT = 2, 6, 7, 8
MOST_TRIES = 10


def pod_class(catalogue: Catalogue) -> str:
    return next(name for name, craft in catalogue.fighters.items() if craft.kind == "pod")


def launch_pods(table: Table) -> None:
    """R5, BR-POD-2: one pod for each board line, in the carrier's hex."""
    for ship in table.ships_there():
        for target, section in () if ship.cnc_failure else table.doctrine.of(ship.name).boards:
            if table.ships[ship.name].pods > 0:
                _launch_pod(table, table.ships[ship.name], target, section)


def _launch_pod(table: Table, ship: Ship, target: str, section: str) -> None:
    kind = pod_class(table.catalogue)
    number = ship.pods_launched + 1
    while f"{ship.name}-P{number}" in table.flights:
        number += 1
    pod = Flight(
        name=f"{ship.name}-P{number}",
        side=ship.side,
        class_name=kind,
        position=ship.position,
        heading=ship.heading,
        speed=0,
        fighters=(Fighter(table.catalogue.fighters[kind].structure),),
        carrier=ship.name,
        target=target,
        section=section,
        elite=table.sheet(ship).pod_elite,
    )
    table.change(ship, pods=ship.pods - 1, pods_launched=number)
    table.put(pod)
    family = [name for name in table.roster if name == ship.name or name.startswith(f"{ship.name}-P")]
    table.roster.insert(table.roster.index(family[-1]) + 1, pod.name)
    facts = {"unit": pod.name, "order": "board", "hex": [*ship.position], "carrier": ship.name, "side": ship.side}
    table.tell("launch_flight", "BR-POD-2", table.sides, facts)


def _pods(table: Table) -> list[Flight]:
    return [flight for flight in table.flights_there() if table.is_pod(flight)]


def fly_pods(table: Table) -> None:
    """R6c, BR-POD-2: every pod flies straight at its target's present hex."""
    for pod in _pods(table):
        target = table.ships.get(pod.target)
        if target is None or not target.on_map:
            destroy(table, pod.name, "its target is gone", "BR-POD-2")
        else:
            _fly_pod(table, pod, target)


def _fly_pod(table: Table, pod: Flight, target: Ship) -> None:
    start, path = pod.position, [pod.position]
    table.change(pod, alongside=False)
    for number in range(1, POD_REACH + 1):
        step = step_toward(table.ground, path[-1], target.position)
        if step is None:
            break
        path.append(step)
        level = max(table.flights[pod.name].highest_level, table.ground.air.get(step, 0))
        table.change(table.flights[pod.name], position=step, highest_level=level)
        asteroid_hits(table, pod.name, step, 0, number)
        if not table.alive(pod.name):
            return
    heat(table, pod.name, 0, strayed=False)
    if not table.alive(pod.name):
        return
    alongside = path[-1] == target.position
    table.change(table.flights[pod.name], alongside=alongside)
    facts = {
        "unit": pod.name,
        "side": pod.side,
        "path": [[*at] for at in path],
        "from": [*start],
        "to": [*path[-1]],
        "alongside": alongside,
        "target": target.name,
    }
    table.tell_masked("pod_move", "BR-POD-2", pod.side, facts, {} if alongside else {"target": ""})


def pods_alongside(table: Table, ship: Ship) -> list[Flight]:
    """Living enemy pods alongside a ship, in roster order."""
    enemies = table.flights_of(table.enemy(ship.side))
    return [pod for pod in enemies if pod.alongside and pod.target == ship.name and pod.position == ship.position]


# --- R13 -------------------------------------------------------------------------------------------------------------


def squads_act(table: Table) -> None:
    """BR-POD-3: every squad aboard since an earlier turn, in order of docking."""
    for name in list(table.roster):
        ship = table.ships.get(name)
        if ship is None:
            continue
        for squad in ship.boarding_squads:
            if squad.turn_docked < table.turn and table.alive(name):
                _act(table, name, squad)


def _act(table: Table, name: str, squad: Squad) -> None:
    ship = table.ships[name]
    names = (squad.sent_by, squad.number)
    squad = next(aboard for aboard in ship.boarding_squads if (aboard.sent_by, aboard.number) == names)
    tally = table.tally(name, squad.sent_by or squad.owner, f"squad {squad.number}")
    die = tally.roll(10, "troops")
    result = die - int(table.sheet(ship).size == "Base") + int(squad.elite)
    word = _word(result)
    facts = {
        "unit": name,
        "squad": f"{squad.sent_by or squad.owner} squad {squad.number}",
        "section": squad.section,
        "die": die,
        "value": result,
        "result": word,
    }
    table.tell("board", "BR-POD-3", table.sides, facts, tally.taken())
    if word == "killed":
        _replace_squad(table, name, squad, None)
    elif word == "moves":
        _replace_squad(table, name, squad, replace(squad, section=_next_section(table, ship, squad)))
    elif word == "structure":
        wounds = Wounds(table, name, tally, armour="none", rule="BR-POD-3")
        wounds.land(Location(squad.section, None), SQUAD_DAMAGE, squad.section)
    elif word == "system":
        _blow_up(table, name, squad, tally)


def _word(result: int) -> str:
    if result <= KILLED_UP_TO:
        return "killed"
    if result <= PINNED_UP_TO:
        return "pinned"
    return {MOVES_AT: "moves", STRUCTURE_AT: "structure"}.get(result, "system")


def _replace_squad(table: Table, name: str, old: Squad, new: Squad | None) -> None:
    ship = table.ships[name]
    squads = [new if squad == old else squad for squad in ship.boarding_squads]
    table.change(ship, boarding_squads=tuple(squad for squad in squads if squad is not None))


def _next_section(table: Table, ship: Ship, squad: Squad) -> str:
    """``press`` goes for the primary and stays there; ``spread`` leaves it for the first standing side."""
    sender = table.ships.get(squad.sent_by)
    if squad.section != "primary":
        return "primary"
    if sender is None or sender.troops == "press":
        return "primary"
    sides = [section.name for section in table.sheet(ship).sections if section.name in table.sheet(ship).sides]
    return next((side for side in sides if ship.structure[side] > 0), "primary")


def _blow_up(table: Table, name: str, squad: Squad, tally: Tally) -> None:
    """Ten points to a working system of its section; after ten tries to structure."""
    wounds = Wounds(table, name, tally, armour="none", rule="BR-POD-3")
    for _ in range(MOST_TRIES):
        place = wounds.locate(squad.section, outside=True) if squad.section != "primary" else wounds.in_primary()
        standing = place.system is not None and table.ships[name].blocks_left(place.system) > 0
        if standing and place.section == squad.section:
            wounds.land(place, SQUAD_DAMAGE, squad.section)
            return
    wounds.land(Location(squad.section, None), SQUAD_DAMAGE, squad.section)


def pods_dock(table: Table) -> None:
    """BR-POD-5: a pod alongside that still flies docks; its squad is aboard."""
    for pod in _pods(table):
        target = table.ships.get(pod.target)
        if target is None or not target.on_map or not pod.alongside or pod.fighters[0].temporary_out:
            continue
        section = pod.section if target.structure.get(pod.section, 0) > 0 else "primary"
        taken = [squad.number for squad in target.boarding_squads if squad.sent_by == pod.carrier]
        squad = Squad(pod.side, section, pod.elite, table.turn, pod.carrier, max(taken, default=0) + 1)
        table.change(target, boarding_squads=(*target.boarding_squads, squad))
        table.change(pod, status="aboard")
        facts = {"unit": pod.name, "from": [*pod.position], "to": [*pod.position], "target": target.name}
        table.tell("dock", "BR-POD-5", table.sides, {**facts, "section": section})
