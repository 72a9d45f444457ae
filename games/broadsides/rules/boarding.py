"""Chapter 4.15: breaching pods and the squads they bring."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.data import Catalogue
from games.broadsides.rules.asteroids import asteroid_hits, heat
from games.broadsides.rules.battle import Battle, Tally
from games.broadsides.rules.criticals import destroy
from games.broadsides.rules.damage import Location, Wounds
from games.broadsides.state import Fighter, Flight, Ship, Squad, blocks_left
from pbem.kit.hexgrid import Hex, distance, neighbour

POD_REACH = 10
BOARDABLE = ("Capital", "Enormous", "Base")
SQUAD_DAMAGE = 10
KILLED_UP_TO, PINNED_UP_TO, MOVES_AT, STRUCTURE_AT = 2, 6, 7, 8
MOST_TRIES = 10


def pod_class(catalogue: Catalogue) -> str:
    return next(name for name, craft in catalogue.fighters.items() if craft.kind == "pod")


def launch_pods(battle: Battle) -> None:
    """R5, BR-POD-2: one pod for each board line, in the carrier's hex."""
    for name in list(battle.roster):
        ship = battle.ships.get(name)
        if ship is None or ship.status != "on-map" or ship.cnc_failure:
            continue
        for target, section in battle.doctrine.of(name).boards:
            if battle.ships[name].pods > 0:
                _launch_pod(battle, battle.ships[name], target, section)


def _launch_pod(battle: Battle, ship: Ship, target: str, section: str) -> None:
    kind = pod_class(battle.catalogue)
    number = ship.pods_launched + 1
    while f"{ship.name}-P{number}" in battle.flights:
        number += 1
    pod = Flight(
        name=f"{ship.name}-P{number}",
        side=ship.side,
        class_name=kind,
        position=ship.position,
        heading=ship.heading,
        speed=0,
        fighters=(Fighter(battle.catalogue.fighters[kind].structure),),
        carrier=ship.name,
        target=target,
        section=section,
        elite=battle.sheet(ship).pod_elite,
    )
    battle.put(replace(ship, pods=ship.pods - 1, pods_launched=number))
    battle.put(pod)
    after = [one for one in battle.roster if one == ship.name or one.startswith(f"{ship.name}-P")]
    battle.roster.insert(battle.roster.index(after[-1]) + 1, pod.name)
    facts = {"unit": pod.name, "order": "board", "hex": [*ship.position], "carrier": ship.name, "side": ship.side}
    battle.tell("launch_flight", "BR-POD-2", facts)


def fly_pods(battle: Battle) -> None:
    """R6c, BR-POD-2: every pod flies straight at its target's present hex."""
    for pod in [one for one in battle.units() if isinstance(one, Flight) and battle.is_pod(one)]:
        target = battle.ships.get(pod.target)
        if target is None or target.status != "on-map":
            destroy(battle, pod.name, "its target is gone", "BR-POD-2")
            continue
        _fly_pod(battle, pod, target)


def _fly_pod(battle: Battle, pod: Flight, target: Ship) -> None:
    start, path = pod.position, [pod.position]
    battle.put(replace(pod, alongside=False))
    for number in range(1, POD_REACH + 1):
        step = _step(battle, path[-1], target.position)
        if step is None:
            break
        path.append(step)
        level = max(battle.flights[pod.name].highest_level, battle.ground.air.get(step, 0))
        battle.put(replace(battle.flights[pod.name], position=step, highest_level=level))
        asteroid_hits(battle, pod.name, step, 0, number)
        if not battle.alive(pod.name):
            return
    heat(battle, pod.name, 0, strayed=False)
    if not battle.alive(pod.name):
        return
    alongside = path[-1] == target.position
    battle.put(replace(battle.flights[pod.name], alongside=alongside))
    facts = {
        "unit": pod.name,
        "side": pod.side,
        "path": [[*at] for at in path],
        "from": [*start],
        "to": [*path[-1]],
        "alongside": alongside,
        "target": target.name,
    }
    battle.tell("pod_move", "BR-POD-2", facts, seen_by=[pod.side])
    seen = facts if alongside else {**facts, "target": ""}
    battle.tell("pod_move", "BR-POD-2", seen, seen_by=[battle.enemy(pod.side)])


def _step(battle: Battle, at: Hex, goal: Hex) -> Hex | None:
    far = distance(at, goal)
    for way in range(6):
        step = neighbour(at, way)
        if distance(step, goal) < far and step not in battle.ground.large and step not in battle.ground.planet:
            return step
    return None


def pods_alongside(battle: Battle, ship: Ship) -> list[Flight]:
    """Living enemy pods alongside a ship, in roster order."""
    enemies = battle.flights_of(battle.enemy(ship.side))
    return [one for one in enemies if one.alongside and one.target == ship.name and one.position == ship.position]


# --- R13 -------------------------------------------------------------------------------------------------------------


def squads_act(battle: Battle) -> None:
    """BR-POD-3: every squad aboard since an earlier turn, in order of docking."""
    for name in list(battle.roster):
        ship = battle.ships.get(name)
        if ship is None:
            continue
        for squad in ship.boarding_squads:
            if squad.turn_docked < battle.turn and battle.alive(name):
                _act(battle, name, squad)


def _act(battle: Battle, name: str, squad: Squad) -> None:
    ship = battle.ships[name]
    squad = next(one for one in ship.boarding_squads if (one.sent_by, one.number) == (squad.sent_by, squad.number))
    tally = battle.tally(name, squad.sent_by or squad.owner, f"squad {squad.number}")
    die = tally.roll(10, "troops")
    result = die - int(battle.sheet(ship).size == "Base") + int(squad.elite)
    word = _word(result)
    facts = {
        "unit": name,
        "squad": f"{squad.sent_by or squad.owner} squad {squad.number}",
        "section": squad.section,
        "die": die,
        "value": result,
        "result": word,
    }
    battle.tell("board", "BR-POD-3", facts, tally.taken())
    if word == "killed":
        _replace_squad(battle, name, squad, None)
    elif word == "moves":
        _replace_squad(battle, name, squad, replace(squad, section=_next_section(battle, ship, squad)))
    elif word == "structure":
        wounds = Wounds(battle, name, tally, armour="none", rule="BR-POD-3")
        wounds.land(Location(squad.section, None), SQUAD_DAMAGE, squad.section)
    elif word == "system":
        _blow_up(battle, name, squad, tally)


def _word(result: int) -> str:
    if result <= KILLED_UP_TO:
        return "killed"
    if result <= PINNED_UP_TO:
        return "pinned"
    return {MOVES_AT: "moves", STRUCTURE_AT: "structure"}.get(result, "system")


def _replace_squad(battle: Battle, name: str, old: Squad, new: Squad | None) -> None:
    ship = battle.ships[name]
    squads = [new if one == old else one for one in ship.boarding_squads]
    battle.put(replace(ship, boarding_squads=tuple(one for one in squads if one is not None)))


def _next_section(battle: Battle, ship: Ship, squad: Squad) -> str:
    """``press`` goes for the primary and stays there; ``spread`` leaves it for the first standing side."""
    sender = battle.ships.get(squad.sent_by)
    if squad.section != "primary":
        return "primary"
    if sender is None or sender.troops == "press":
        return "primary"
    sides = [one.name for one in battle.sheet(ship).sections if one.name in battle.sheet(ship).sides]
    return next((side for side in sides if ship.structure[side] > 0), "primary")


def _blow_up(battle: Battle, name: str, squad: Squad, tally: Tally) -> None:
    """Ten points to a working system of its section; after ten tries to structure."""
    wounds = Wounds(battle, name, tally, armour="none", rule="BR-POD-3")
    for _ in range(MOST_TRIES):
        place = wounds.locate(squad.section, outside=True) if squad.section != "primary" else wounds.in_primary()
        standing = place.system is not None and blocks_left(battle.ships[name], place.system) > 0
        if standing and place.section == squad.section:
            wounds.land(place, SQUAD_DAMAGE, squad.section)
            return
    wounds.land(Location(squad.section, None), SQUAD_DAMAGE, squad.section)


def pods_dock(battle: Battle) -> None:
    """BR-POD-5: a pod alongside that still flies docks; its squad is aboard."""
    for pod in [one for one in battle.units() if isinstance(one, Flight) and battle.is_pod(one)]:
        target = battle.ships.get(pod.target)
        if target is None or target.status != "on-map" or not pod.alongside or pod.fighters[0].temporary_out:
            continue
        section = pod.section if target.structure.get(pod.section, 0) > 0 else "primary"
        taken = [one.number for one in target.boarding_squads if one.sent_by == pod.carrier]
        squad = Squad(pod.side, section, pod.elite, battle.turn, pod.carrier, max(taken, default=0) + 1)
        battle.put(replace(target, boarding_squads=(*target.boarding_squads, squad)))
        battle.put(replace(pod, status="aboard"))
        facts = {"unit": pod.name, "from": [*pod.position], "to": [*pod.position], "target": target.name}
        battle.tell("dock", "BR-POD-5", {**facts, "section": section})
