"""Single orders: missiles, flame, jettison, cutting loose, boarding (GA-MIS, GA-FLM, GA-JET, GA-DIS, GA-BRD)."""

from __future__ import annotations

from collections.abc import Iterator

from games.galleys.data import TABLES
from games.galleys.orders.offers.block import Block, Fit, named, places
from games.galleys.orders.offers.ways import NEAR_WORDS
from games.galleys.orders.records import Fire, FlameAt
from games.galleys.rules.grappling import loosening_mods
from games.galleys.rules.missiles import FACES, is_in_flame_reach, missile_mods, points_available
from games.galleys.state import Ship
from games.galleys.table import total
from pbem.kit.choices import Closed, Fill, Number, Places, fillings
from pbem.kit.scene import Item, Shot, hex_point
from pbem.kit.sheet import Problem


def offer_singles(block: Block) -> None:
    offer_fire(block)
    offer_flame(block)
    offer_jettison(block)
    offer_disengaging(block)
    offer_boarding(block)


# --- missiles --------------------------------------------------------------------------------------------------------


def offer_fire(block: Block) -> None:
    """GA-ORD-8, -9: those with a fire line now by their range; others may come into one while the ships move."""
    first = block.fit("fire at best", instead_of=(FlameAt,))
    if isinstance(first, Problem):
        block.close("fire", first)
        block.offer("fire", "no fire of her own this turn", block.fit("fire none", instead_of=(FlameAt,)))
        return
    seen = _offer_in_sight(block, block.ship, first) if block.ship else []
    for line, label, fill in _open_fire(block, seen):
        fit = block.like(first, line, sample=next(fillings(fill)))
        block.offer("fire", label, fit, fill=fill)
    block.offer("fire", "no fire of her own this turn", block.like(first, "fire none"))


def _offer_in_sight(block: Block, ship: Ship, first: Fit) -> list[str]:
    """The enemies with a fire line as the ships lie."""
    table, points = block.table, points_available(block.table, ship)
    ranges = {enemy: table.fire_range(ship.name, enemy.name) for enemy in block.view.enemies()}
    seen = [enemy.name for enemy, reach in ranges.items() if reach is not None]
    for name in seen:
        note, marks = _shot_figures(block, ship, name, points), _shot(block, ship, name)
        at = hex_point(table.ships[name].bow)
        line = f"fire at {named(name)}"
        block.offer("fire", f"fire at {name}", block.like(first, line), note=note, at=at, marks=marks)
        fit = block.like(first, f"{line} at start")
        block.offer("fire", f"fire at {name} before moving", fit, note=note, at=at, marks=marks)
        if points > 1:
            line, fill = f"fire {{}} at {named(name)} at start", Number(1, points, points)
            fit = block.like(first, line, sample="1")
            label = f"so many points at {name} before moving"
            block.offer("fire", label, fit, note=f"{points} points available", at=at, marks=marks, fill=fill)
    if len(seen) > 1 and points > 1:
        pair = ", ".join(map(named, seen[:2]))
        block.offer_line("fire", f"share fire between {pair}", f"fire at {pair} at start", note=f"{points} points")
    return seen


def _shot_figures(block: Block, ship: Ship, name: str, points: int) -> str:
    """GA-MIS-8, as far as the side can know it: the marines there may be fewer than what the table takes."""
    reach = block.table.fire_range(ship.name, name)
    assert reach is not None
    bonus = total(missile_mods(block.table, ship, block.table.ships[name], reach))
    losses = [TABLES.missile.loss(face + bonus, points) for face in FACES]
    needed = next((face for face, loss in zip(FACES, losses, strict=True) if loss), None)
    effect = f"a step lost on {needed} or more, at most {max(losses)}" if needed else "no die can hurt"
    return f"range {reach}, {points} points, die {bonus:+d}: {effect}"


def _shot(block: Block, ship: Ship, name: str) -> tuple[Item, ...]:
    return (Shot(hex_point(ship.bow), hex_point(block.table.ships[name].bow), ship.side, hit=False),)


def _open_fire(block: Block, seen: list[str]) -> Iterator[tuple[str, str, Fill | None]]:
    for word in NEAR_WORDS:
        yield f"fire at {word}", f"fire at the {word} after moving", None
    yield "fire at best at start", "fire at the best before moving", None
    yield "fire at best when able", "fire at the first chance", None
    others = [ship for ship in block.view.enemies() if ship.name not in seen]
    if others:
        yield "fire at {} when able", "fire at this ship as soon as there is a line", Places(places(others))


# --- flame and towers ------------------------------------------------------------------------------------------------


def offer_flame(block: Block) -> None:
    """GA-FLM-1: adjacent ships through any hexside; the doctrine stands beside the order."""
    if not block.table.switches.flame_missiles:
        return
    first = block.fit("flame at best", instead_of=(Fire,))
    if isinstance(first, Problem):
        block.close("flame", first)
        return
    beside: list[str] = []
    for enemy in block.view.enemies() if block.ship else ():
        if block.ship and is_in_flame_reach(block.table, block.ship, block.table.ships[enemy.name]):
            beside.append(enemy.name)
            fit = block.like(first, f"flame at {named(enemy.name)}")
            marks, at = _shot(block, block.ship, enemy.name), hex_point(enemy.bow)
            block.offer(
                "flame", f"flame at {enemy.name}", fit, note=_flame_figures(block, block.ship), at=at, marks=marks
            )
    for word in NEAR_WORDS:
        block.offer("flame", f"flame at the {word} alongside", block.like(first, f"flame at {word}"))
    others = [ship for ship in block.view.enemies() if ship.name not in beside]
    if others:
        fill = Places(places(others))
        fit = block.like(first, "flame at {}", sample=next(fillings(fill)))
        block.offer("flame", "flame at this ship, should she lie alongside", fit, fill=fill)


def _flame_figures(block: Block, ship: Ship) -> str:
    numbers, points = TABLES.flame, points_available(block.table, ship)
    needed = numbers.ignites - (numbers.many_bonus if points >= numbers.many_points else 0)
    return f"burns on {needed} or more" if points else "no missile points to throw it with"


def offer_jettison(block: Block) -> None:
    """GA-JET-1: for ships that have towers."""
    if not any(ship.towers for ship in block.ships):
        return
    cost = TABLES.movement.jettison
    note = f"{cost} MP, max +1 from now on, no flame missiles any more"
    objection = block.offer_line("jettison", "throw the towers overboard", "jettison", note=note)
    block.close("jettison", objection)


# --- held ships ------------------------------------------------------------------------------------------------------


def offer_disengaging(block: Block) -> None:
    """GA-DIS-1, -4: from all that hold the ship, or from one of several."""
    if not block.ship:
        objection = block.offer_line("disengage", "cut loose from all", "disengage")
        block.close("disengage", objection)
        return
    held_by = block.table.partners(block.ship.name)
    if not held_by:
        block.closed.append(Closed("disengage", f"{block.unit} is held by nobody", "GA-VAL-26"))
        return
    first = block.fit("disengage")
    cost = f"{min(TABLES.disengage.cost, block.means_of(block.ship).points)} MP"
    dice = {name: _loose_on(block, block.ship, name) for name in held_by}
    note = f"{cost}; " + ", ".join(f"{name}: {needed}" for name, needed in dice.items())
    objection = block.offer("disengage", "cut loose from all", first, note=note)
    for name in held_by if len(held_by) > 1 else ():
        fit = block.like(first, f"disengage {named(name)}")
        block.offer("disengage", f"cut loose from {name} alone", fit, note=f"{cost}; {dice[name]}")
    block.close("disengage", objection)


def _loose_on(block: Block, ship: Ship, enemy: str) -> str:
    needed = TABLES.disengage.free - total(loosening_mods(block.table, ship.name, enemy))
    return f"free on {max(needed, 1)} or more" if needed <= max(FACES) else "no die can free her"


def offer_boarding(block: Block) -> None:
    """GA-ORD-11: a ship that is held can be told whom to board; others go by their doctrine."""
    if not block.ship:
        return
    held_by = block.table.partners(block.ship.name)
    for name in held_by:
        note = f"marines {block.ship.marines} against {block.table.ships[name].marines}"
        at = hex_point(block.table.ships[name].bow)
        block.offer_line("board", f"board {name}", f"board {named(name)}", note=note, at=at)
    if not held_by:
        why = f"{block.unit} is linked with nobody now: grapple first, or leave it to the doctrine"
        block.closed.append(Closed("board", why, "GA-VAL-27"))
