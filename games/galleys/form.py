"""The order form: a plan that may be sent back as it is, with every ship's figures beside it."""

from __future__ import annotations

from collections.abc import Mapping

from games.galleys.orders.levels import Means
from games.galleys.orders.offers.attacks import told_in_reach
from games.galleys.orders.offers.block import Block, Letter
from games.galleys.state import Ship, Squadron
from games.galleys.status import conditions
from games.galleys.view import View
from pbem.kit.sheet import Problem, Sheet

GUARD = ("speed cruise", "ram best if reachable", "else hold")
"""GA-ORD-12 written out."""
MOST_IN_REACH = 3


def template(view: View) -> str:
    """A plan for every squadron, standing guard unless changed, its ships with their figures beside it.

    A ship that cannot do as its squadron does has a block of its own.
    """
    squadrons, fleet = view.own_squadrons(), view.own_fleet()
    lines = [f"# {view.title}: orders of {view.side}, turn {view.turn}", f"turn {view.turn}", "", "Fleet:"]
    if fleet and squadrons:
        present = [squadron.name for squadron in squadrons]
        listed = [name for name in fleet.activate_list if name in present]
        order = listed + [name for name in present if name not in listed]
        lines += [f"  activate {', '.join(order)}", *_in_force(fleet.doctrines)]
    if view.side and not view.result:
        letter = Letter(view, Sheet(), view.side)
        for squadron in squadrons:
            lines += _squadron_form(letter, squadron)
    return "\n".join([*lines, "END"]) + "\n"


def _in_force(doctrines: Mapping[str, str]) -> list[str]:
    """Standing doctrines as comments; they hold until changed."""
    return [f"  # in force: {word} {value}" for word, value in doctrines.items()]


def _squadron_form(letter: Letter, squadron: Squadron) -> list[str]:
    view = letter.view
    ships = [ship for ship in view.own() if ship.squadron == squadron.name]
    head = f"# --- {squadron.name}: ships {len(ships)}, morale {squadron.morale}"
    if squadron.routed:
        figures = [f"#   {ship.name}: {_figures(view, ship)}" for ship in ships]
        return ["", f"{head}, ROUTED: withdraws, whatever is ordered", *figures]
    blocks = {ship.name: Block(letter, ship.name) for ship in ships}
    barred = {name: why for name, block in blocks.items() if (why := _why_no_guard(block))}
    lines = ["", head, f"{squadron.name}:", *_in_force(squadron.doctrines)]
    if len(barred) < len(ships):
        lines += [f"  {line}" for line in GUARD]
    for ship in ships:
        if ship.name not in barred:
            lines += [f"  # {ship.name}: {_told(blocks[ship.name], ship)}", *_beside(blocks[ship.name], ship)]
    for ship in ships:
        if ship.name in barred:
            told = f"{_told(blocks[ship.name], ship)}; no ram{barred[ship.name]}"
            lines += [f"{ship.name}:   # {told}", *_beside(blocks[ship.name], ship), "  hold"]
    return lines


def _why_no_guard(block: Block) -> str:
    """Why the ship cannot follow the squadron's plan, unless its figures say so; nothing: it can."""
    fit = block.fit(*GUARD)
    if not isinstance(fit, Problem) or not block.ship:
        return ""
    said = not block.ship.ram or conditions(block.view, block.ship)
    return " then" if said else f": {block.reason(fit)}"


def _told(block: Block, ship: Ship) -> str:
    """The ship's figures and the levels that are closed to it."""
    return "; ".join([_figures(block.view, ship), *_closed_levels(block, ship)])


def _closed_levels(block: Block, ship: Ship) -> list[str]:
    """GA-SPD-3, -4: what the ship suffers from stands among its figures."""
    too_high = [level for level, means in block.rowing.items() if _is_closed(means, "GA-VAL-9")]
    too_soon = [level for level, means in block.rowing.items() if _is_closed(means, "GA-VAL-8")]
    words = [f"so no {' or '.join(too_high)}"] if too_high else []
    if too_soon and not too_high:
        words.append(f"no {' or '.join(too_soon)}: last level {ship.last_level}")
    return words


def _is_closed(means: Means | Problem, rule: str) -> bool:
    return isinstance(means, Problem) and means.rule == rule


def _beside(block: Block, ship: Ship) -> list[str]:
    """What it could strike now, and its standing doctrines."""
    in_reach = told_in_reach(block, ship, MOST_IN_REACH)
    return [*([f"  #   in reach: {in_reach}"] if in_reach else []), *_in_force(ship.doctrines)]


def _figures(view: View, ship: Ship) -> str:
    figures = view.figures[ship.name]
    speeds = " ".join(f"{level} {points}" for level, points in figures.speeds.items())
    words = [
        f"{view.class_of(ship).name}, {ship.bow.q},{ship.bow.r}/{ship.facing}",
        f"MP {speeds}",
        f"ram {ship.ram}{'*' if ship.star else ''}",
        f"marines {ship.marines}",
        f"missiles {figures.missile_points}",
    ]
    return ", ".join([*words, *conditions(view, ship)])
