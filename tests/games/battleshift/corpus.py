"""States of many kinds for laws that hold in all of them: every scenario, every switch, fog, ground war, docks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from games.battleshift import GAME
from games.battleshift.state import State
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.scenario import scenarios_of
from tests.games.battleshift.builders import flight, foe, planet, sq, state_of, tf

SCENARIOS = scenarios_of("battleshift")
OPTIONS = ("disable_fire", "boarding", "super_heavy", "ion", "assault", "engulf", "tractor", "formations", "experience")
ALL_SWITCHES: dict[str, Any] = dict.fromkeys(
    (*OPTIONS, "stations", "docking", "fighter_recovery", "focused_fire"), True
)
HOUSE = ("Siege Cruiser", "Ion Cruiser", "Assault Cruiser", "Reaver", "Light Carrier", "Raider")


def opened(key: str) -> State:
    return GAME.setup(SCENARIOS[key], LoadedDice())


def foggy(state: State) -> State:
    return replace(state, switches=replace(state.switches, fog="limited"))


def every_option() -> State:
    """House classes of every option on both sides, terrain of all kinds."""
    ships, tfs = [], []
    for side, y, facing in (("azure", 42, 0), ("crimson", 6, 180)):
        for n, name in enumerate(HOUSE):
            squadron = f"{side[0]}{n}"
            spots = [f"{8 + 10 * n},{y}", f"{9 + 10 * n},{y}"]
            ships.append(sq(squadron, name, *spots, side=side, facing=facing, standing=["lose rear"]))
            tfs.append(tf(f"T{squadron}", squadron, side=side))
    kinds = ("dust", "asteroids", "nebula", "mines", "rift", "singularity", "moon")
    terrain = [{"kind": kind, "name": kind, "at": f"{6 + 9 * n},24", "radius": 200} for n, kind in enumerate(kinds)]
    return state_of(ships, tfs, terrain=terrain, switches=ALL_SWITCHES, turn_limit=6)


def ground_war() -> State:
    """Contact on all sides: ships at a rim and at a dock, disabled, engulfed and held; flights of every sort."""
    ships = [
        sq("Lion", "Fleet Cruiser", "20,40", "21,40"),
        sq("Mule", "Reaver", "10,40"),
        sq("Marine", "Assault Cruiser", "36,30.2", "36.4,30.3"),
        sq("Base", "Outpost", "60,40"),
        sq("Tug", "Dreadnought", "60,39.5"),
        sq("Berth", "Fleet Destroyer", "60,40", docked="Base"),
        sq("Roost", "Light Carrier", "24,40", "25,40"),
        sq("Tern", "Fleet Destroyer", "22,44", "23,44"),
        foe("Owl", "Light Carrier", "30,10", acted=False),
        foe("Pup", "Fleet Destroyer", "10.3,40", "12,10", acted=False),
        foe("Wreck", "Sword Frigate", "60.3,39.5", "61,38", acted=False),
        foe("Dock", "Outpost", "40,10", acted=False),
        foe("Hidden", "Fleet Destroyer", "40,10", docked="Dock", acted=False),
    ]
    ships[1]["ships"][0]["holds"] = ["crimson/Pup.2", "azure/Tern.2"]
    ships[7]["ships"][1]["status"] = ships[9]["ships"][1]["status"] = "engulfed"
    ships[9]["ships"][0]["status"] = ships[10]["ships"][0]["status"] = "disabled"
    tfs = [
        tf("Guard", "Lion", "Roost"),
        tf("Hold", "Tug"),
        tf("Foes", "Hidden", "Owl", side="crimson", flagship="Hidden.1"),
    ]
    flights = [
        flight("Hawk", "Roost", 3, "24.2,40"),
        flight("Kite", "Owl", 3, "22,20", side="crimson"),
        flight("Gnat", "Terra NE", 3, "40,20", side="crimson"),
        flight("Stray", "Nobody", 2, "30,30", side="crimson"),
        flight("Lost", "Nobody", 2, "24.3,40.1"),
    ]
    quadrants = {
        "NE": {"installations": ["heavy 2", "bay 2"], "damage": 1},
        "SE": {"installations": ["missile 2"], "invaders": 2},
        "SW": {"installations": ["light 1"], "damage": 1, "holder": "azure", "assault": 3},
        "NW": {"objectives": [{"name": "Palace", "total": 3}]},
    }
    terrain = planet(quadrants=quadrants)
    terrain.append({"kind": "moon", "name": "Luna", "at": "54,24", "radius": 100, "owner": "azure", "defence": 4})
    terrain[1]["quadrants"] = {"NE": {"installations": ["bay 2", "heavy 1"], "assault": 2}}
    return state_of(ships, tfs, flights, terrain=terrain, switches=ALL_SWITCHES, turn_limit=6)


def points_battle() -> State:
    """A setup in which everything may be built, with a planet of one's own."""
    state = opened("closing-the-trap")
    own = planet(owner="azure")
    base = state_of([sq("Lion", "Fleet Cruiser", "20,40")], [tf("Guard", "Lion")], terrain=own, switches=ALL_SWITCHES)
    return replace(state, terrain=(*state.terrain[:2], *base.terrain), switches=replace(base.switches, planets=True))


def corpus() -> dict[str, State]:
    """By name; some of them at setup."""
    states = {key: opened(key) for key in SCENARIOS}
    states |= {f"{key} in fog": foggy(state) for key, state in states.items()}
    states |= {"every option": every_option(), "ground war": ground_war(), "points": points_battle()}
    return states | {f"{key} in fog": foggy(states[key]) for key in ("every option", "ground war")}


def played(state: State, phases: int, key: bytes = b"choices") -> Iterator[State]:
    """The state, and those after it, bots on both sides; the last may be the end."""
    yield state
    for number in range(phases):
        if GAME.phase(state) is None:
            return
        dice = KeyedDice(key + bytes([number]))
        sheets = {
            side.id: GAME.read_orders(state, side.id, GAME.bot(GAME.view(state, side.id), dice)) for side in state.sides
        }
        state = GAME.resolve(state, sheets, dice).state
        yield state
