"""Situations of the star campaign in a few words, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from games.encounters.phase import outcome, phase
from games.encounters.setup import setup
from games.encounters.state import State, Unit
from pbem.kit.dice import LoadedDice
from pbem.kit.game import Event, Outcome
from pbem.kit.scenario import Scenario, load_scenario, parse_scenario, scenarios_of
from pbem.kit.sheet import Problem, Sheet
from pbem.play.phase import Played as Tried
from pbem.play.trial import run_trial

SITUATIONS = Path(__file__).parent.parent.parent / "situations" / "encounters"

MAP = """
system = [
    { name = "Altair", x = 2, y = 1, RAW = 2, CEN = 3, MOR = 3, PROD = 2, CAP = 6 },
    { name = "Deneb", x = 2, y = 3, RAW = 1, CEN = 2, MOR = 2, PROD = 1, CAP = 4 },
    { name = "Vega", x = 0, y = 1, owner = "AUR", RAW = 3, CEN = 6, MOR = 5, PROD = 6, CAP = 10 },
    { name = "Rigel", x = 4, y = 1, owner = "KOR", RAW = 3, CEN = 6, MOR = 5, PROD = 6, CAP = 10 },
]
lane = [
    { ends = ["Vega", "Altair"] },
    { ends = ["Altair", "Rigel"] },
    { ends = ["Vega", "Deneb"], kind = "minor" },
    { ends = ["Deneb", "Rigel"], kind = "restricted" },
]
"""
NAMES = {"AUR": "Aurigan", "KOR": "Korvan", "TAL": "Talos"}
NO_SUPPLY = "supply = false"


def force(owner: str, place: str, *units: str, fleet: str = "") -> str:
    """Several units in short, as a situation file has them."""
    named = f'fleet = "{fleet}"\n' if fleet else ""
    listed = ", ".join(f'"{unit}"' for unit in units)
    return f'[[force]]\nowner = "{owner}"\nlocation = "{place}"\n{named}units = [{listed}]\n'


def unit(owner: str, place: str, design: str, name: str, **fields: str | int | bool) -> str:
    """One unit with any field set."""
    head = f'[[unit]]\nowner = "{owner}"\nlocation = "{place}"\ndesign = "{design}"\nname = "{name}"\n'
    return head + "".join(f"{key} = {toml(value)}\n" for key, value in fields.items())


def toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def readiness(place: str, **totals: str) -> str:
    """``AUR_KOR="total = 11"``: the readiness of one bloc against another."""
    rows = ", ".join(
        f'{{ bloc = "{pair.split("_")[0]}", versus = "{pair.split("_")[1]}", {text} }}' for pair, text in totals.items()
    )
    return f'[[encounter]]\nsystem = "{place}"\nreadiness = [{rows}]\n'


def situation(
    *parts: str,
    phase: str = "battle",
    switches: str = "",
    turn: int = 4,
    seats: Sequence[str] = ("AUR", "KOR"),
    chart: str = MAP,
    **powers: str,
) -> Scenario:
    """A situation on the small map; ``AUR="treasury = 20"`` adds to a power."""
    heads = "".join(f'[[power]]\nkey = "{key}"\nname = "{NAMES[key]}"\n{powers.get(key, "")}\n' for key in seats)
    text = f'game = "encounters"\nturn = {turn}\nphase = "{phase}"\n{chart}\n{heads}\n[switches]\n{switches}\n'
    return parse_scenario(text + "\n".join(parts), "situation.toml")


def play(scenario: Scenario, *dice: int, **orders: str) -> Tried:
    """Resolve the phase; all dice given must be used."""
    tried = run_trial(scenario, orders, dice)
    assert tried.unused_dice == (), tried.unused_dice
    return tried


def worked_example(key: str) -> Tried:
    """A situation file with the orders and dice it brings along."""
    return run_trial(load_scenario(SITUATIONS / f"{key}.toml"))


def opening(key: str) -> State:
    return setup(scenarios_of("encounters")[key], LoadedDice())


def start(scenario: Scenario) -> State:
    return setup(scenario, LoadedDice())


def seats_asked(state: State) -> frozenset[str]:
    """Whose letters the open phase needs."""
    now = phase(state)
    assert now is not None, "the campaign is over"
    return now.sides


def ending(state: State) -> Outcome:
    found = outcome(state)
    assert found is not None, "the campaign goes on"
    return found


def find(state: State, name: str, owner: str = "") -> Unit:
    found = [one for one in state.units.values() if one.name == name and owner in ("", one.owner)]
    assert len(found) == 1, f"{name}: {len(found)} units"
    return found[0]


def alive(state: State, name: str) -> bool:
    return any(one.name == name for one in state.units.values())


def told(tried: Tried, kind: str, side: str | None = None) -> list[dict[str, Any]]:
    """The facts of all events of a kind, as one side sees them."""
    return [dict(event.facts) for event in events(tried, kind, side)]


def events(tried: Tried, kind: str, side: str | None = None) -> list[Event]:
    return [event for event in tried.events if event.kind == kind and (side is None or side in event.seen_by)]


def damage(tried: Tried) -> list[tuple[str, str, int, str]]:
    """Every step of damage: unit, how, cost, new state."""
    return [(one["unit"], one["how"], one["cost"], one["state"]) for one in told(tried, "damage")]


def points(tried: Tried) -> list[tuple[str, str, int]]:
    return [(one["power"], one["step"], one["points"]) for one in told(tried, "points")]


def ratings(tried: Tried) -> dict[str, int]:
    return {one["unit"]: one["final"] for one in told(tried, "rating")}


def squadrons(tried: Tried, power: str) -> dict[str, list[str]]:
    """The forces of the first battle, as their owner sees them."""
    return dict(next(one["squadrons"] for one in told(tried, "forces", power) if one["power"] == power))


def rules_of(sheet: Sheet[Any]) -> list[str]:
    return [problem.rule for problem in sheet.problems]


def only_problem(tried: Tried, side: str) -> Problem:
    found = tried.sheets[side].problems
    assert len(found) == 1, found
    return found[0]
