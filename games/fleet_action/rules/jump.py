"""FA-JMP, FA-WDR-4: vortices that form and scatter, entering through them, and jumping out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.fleet_action import geometry
from games.fleet_action.battle import Battle, printed
from games.fleet_action.orders.records import JumpOrder
from games.fleet_action.rules import leaving
from games.fleet_action.state import Ship, Squadron, Vortex, VortexPlan
from games.fleet_action.table import Table
from games.fleet_action.tables import TABLES
from pbem.kit import hexgrid
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex, distance

LAST_PULSE = 3


# --- vortices --------------------------------------------------------------------------------------------------------


def scatter(battle: Battle, plans: Sequence[VortexPlan]) -> None:
    """FA-JMP-3, 4: the leader of each group first, then its others in roster order; direction, then distance."""
    roster = [ship.name for ship in battle.ships.values()]
    ordered = sorted(plans, key=lambda plan: roster.index(plan.opener))
    leaders = [plan for plan in ordered if plan.hex is not None]
    formed: dict[str, Hex] = {}
    for leader in leaders:
        assert leader.hex is not None
        group = [plan for plan in ordered if plan.leader == leader.opener and plan.opener != leader.opener]
        formed[leader.opener] = _form(battle, leader, leader.hex, leads=True)
        for plan in group:
            assert plan.offset is not None
            intended = formed[leader.opener].plus(geometry.to_map(plan.offset, plan.heading))
            formed[plan.opener] = _form(battle, plan, intended, leads=False)
    for plan in ordered:
        if plan.opener in formed:
            _await(battle, plan, formed[plan.opener])


def _form(battle: Battle, plan: VortexPlan, intended: Hex, *, leads: bool) -> Hex:
    """FA-JMP-3..6: where a vortex really forms."""
    ship = battle.ships[plan.opener]
    squadron = battle.squadrons[ship.squadron]
    side = battle.sides[squadron.side]
    rolls: list[Roll] = []
    at = intended
    if not side.anchored:
        at, rolls = _scattered(battle, plan, intended, leads=leads)
    vortex = Vortex(at, plan.heading, plan.opener, squadron.name, plan.turn, squadron.side)
    battle.state = replace(battle.state, vortices=(*battle.state.vortices, vortex))
    facts: dict[str, Any] = {
        "side": squadron.side,
        "hex": printed(at),
        "direction": plan.heading,
        "squadron": squadron.name,
    }
    facts |= {"opener": plan.opener, "open_turn": plan.turn, "intended": None}
    battle.tell("vortex", "FA-JMP-3", squadron.side, {**facts, "intended": printed(intended)}, rolls)
    battle.tell("vortex", "FA-JMP-3", battle.others(squadron.side), facts)
    return at


def _scattered(battle: Battle, plan: VortexPlan, intended: Hex, *, leads: bool) -> tuple[Hex, list[Roll]]:
    navy = battle.card(battle.ships[plan.opener]).navy
    first, other, less = TABLES.scatter.get(navy, TABLES.scatter["plain"])
    direction = battle.roll(6, "vortex", plan.opener, "direction")
    steps = battle.roll(first if leads else other, "vortex", plan.opener, "distance")
    far = steps.face if leads else steps.face - less
    return _last_on_map(battle, intended, direction.face, far), [direction, steps]


def _last_on_map(battle: Battle, start: Hex, direction: int, far: int) -> Hex:
    """FA-JMP-6: a scattered vortex forms at the last on-map hex of the scatter line."""
    found = [geometry.ahead(start, direction, step) for step in range(far + 1)]
    on_map = [at for at in found if battle.on_map(at)]
    if battle.on_map(found[-1]):
        return found[-1]
    return on_map[-1] if on_map else _nearest_on_map(battle, start)


def _nearest_on_map(battle: Battle, at: Hex) -> Hex:
    return next(near for near in hexgrid.disk(at, 99) if battle.on_map(near))


def _await(battle: Battle, plan: VortexPlan, at: Hex) -> None:
    """FA-JMP-9: the squadron will start in its command ship's vortex, else in its first."""
    squadron = battle.squadrons[battle.ships[plan.opener].squadron]
    mine = [v for v in battle.state.vortices if v.squadron == squadron.name]
    leads = plan.opener == squadron.command_ship or mine[0].opener == plan.opener
    has_own = any(v.opener == squadron.command_ship for v in mine)
    if leads and (plan.opener == squadron.command_ship or not has_own):
        speed = battle.sides[squadron.side].fleet_speed
        battle.put(
            replace(
                squadron,
                hex=at,
                heading=plan.heading,
                speed=squadron.speed if speed is None else speed,
                arrives=plan.turn,
                state="waiting",
            )
        )


def scatter_primary(battle: Battle) -> None:
    """FA-JMP-3, 11: D1 closes; the flagships' groups form, and on a gate's beacon all that come on turn 1."""
    flags = {fleet.flagship for fleet in battle.fleets.values()}
    now = [p for p in _due(battle, 1) if p.leader in flags or battle.sides[_side_of(battle, p)].anchored]
    scatter(battle, now)


def _side_of(battle: Battle, plan: VortexPlan) -> str:
    return battle.side_of(battle.ships[plan.opener])


def scatter_due(battle: Battle, turn: int) -> None:
    """FA-JMP-11: groups that come next turn form their vortices now; reinforcements only when they arrive."""
    formed = {vortex.opener for vortex in battle.state.vortices}
    scatter(battle, [plan for plan in _due(battle, turn) if plan.opener not in formed])


def _due(battle: Battle, turn: int) -> list[VortexPlan]:
    """The vortices planned for a turn, without those of reinforcing fleets."""
    reserve = {f.name for f in battle.fleets.values() if f.schedule is not None}
    return [
        plan
        for plan in battle.state.plans
        if plan.turn == turn and battle.squadrons[battle.ships[plan.opener].squadron].fleet not in reserve
    ]


# --- entering --------------------------------------------------------------------------------------------------------


def enter(battle: Battle) -> None:
    """FA-JMP-7, 9: squadrons that come this turn stand in their vortices, at the gate, or at the edge."""
    for squadron in list(battle.squadrons.values()):
        if squadron.state == "waiting" and squadron.arrives == battle.turn:
            _enter(battle, squadron)


def _enter(battle: Battle, squadron: Squadron) -> None:
    vortices = {v.opener: v.hex for v in battle.state.vortices if v.squadron == squadron.name}
    way = "vortex" if vortices else ("gate" if squadron.enter_gate else "edge")
    entered = replace(squadron, state="normal")
    battle.put(entered)
    for ship in battle.members(entered):
        at = vortices.get(ship.name, squadron.hex)
        if way == "edge":
            at = squadron.hex.plus(geometry.to_map(squadron.formation[ship.name], squadron.heading))
            at = at if battle.on_map(at) else squadron.hex
        battle.put(replace(ship, hex=at, prev_hex=at if way != "edge" else None))
    facts: dict[str, Any] = {"side": squadron.side, "squadron": squadron.name, "hex": printed(squadron.hex), "way": way}
    facts |= {"heading": squadron.heading, "ships": [ship.name for ship in battle.members(entered)]}
    battle.tell("enter", "FA-JMP-9", battle.audience, facts)


def close_vortices(battle: Battle) -> None:
    """FA-JMP-7: the opener enters last; its vortex then closes."""
    open_still = tuple(v for v in battle.state.vortices if v.open_turn > battle.turn)
    battle.state = replace(battle.state, vortices=open_still)


# --- leaving ---------------------------------------------------------------------------------------------------------


def is_jumping(table: Table, squadron: Squadron) -> bool:
    """FA-WDR-4: a ship of it prepared a jump last turn, so it may only maintain course."""
    if squadron.state == "jumping":
        return True
    return any(ship.prepared_jump_turn == table.state.turn - 1 for ship in table.members(squadron))


def prepare(battle: Battle) -> None:
    """FA-WDR-4: pre-turn, ``jump``: the vortex opens at the end of the next turn."""
    for squadron in battle.in_play():
        for ship in battle.members(squadron):
            if battle.book.one(JumpOrder, ship.name) is None or not battle.card(ship).jump:
                continue
            if ship.prepared_jump_turn == battle.turn - 1:
                # It jumps this turn; the order given again does not put it off.
                continue
            battle.put(replace(ship, prepared_jump_turn=battle.turn))
            current = battle.squadrons[squadron.name]
            if current.state == "normal":
                battle.put(replace(current, state="jumping"))


def openers(battle: Battle, squadron: Squadron) -> list[Ship]:
    """The living ships whose vortex opens at the end of this turn."""
    return [s for s in battle.members(squadron) if s.prepared_jump_turn == battle.turn - 1]


def leaves_this_pulse(battle: Battle, ship: Ship) -> bool:
    """FA-FIRE-16: a ship that jumps out in this pulse does not fire."""
    if battle.pulse != LAST_PULSE:
        return False
    squadron = battle.squadrons[ship.squadron]
    if uses_gate(battle, squadron) and battle.state.gate is not None:
        return distance(ship.hex, battle.state.gate.hex) <= TABLES.jump_radius
    return any(distance(ship.hex, opener.hex) <= TABLES.jump_radius for opener in openers(battle, squadron))


def uses_gate(battle: Battle, squadron: Squadron) -> bool:
    """FA-WDR-4: the gate may be used at once by a withdrawing squadron that ends within 1 hex of it."""
    gate = battle.state.gate
    if gate is None or squadron.state != "withdrawing":
        return False
    return distance(battle.commander(squadron).hex, gate.hex) <= TABLES.gate_radius


def jump_out(battle: Battle) -> None:
    """FA-WDR-4: end of turn; every ship within 3 hexes of the vortex, with flights aboard or alongside, leaves."""
    for squadron in battle.in_play():
        if not battle.members(squadron):
            continue
        if uses_gate(battle, squadron) and battle.state.gate is not None:
            _leave_through(battle, squadron, battle.state.gate.hex, "gate")
            continue
        ready = openers(battle, squadron)
        if ready:
            opener = ready[0]
            facts: dict[str, Any] = {
                "side": squadron.side,
                "squadron": squadron.name,
                "ship": opener.name,
                "hex": printed(opener.hex),
            }
            battle.tell("jump", "FA-WDR-4", battle.audience, facts)
            _leave_through(battle, squadron, opener.hex, "jump")
        elif squadron.state == "jumping" and not any(
            s.prepared_jump_turn == battle.turn for s in battle.members(squadron)
        ):
            battle.put(replace(squadron, state="normal"))


def _leave_through(battle: Battle, squadron: Squadron, at: Hex, way: str) -> None:
    ships = [s for s in battle.members(squadron) if distance(s.hex, at) <= TABLES.jump_radius]
    places = {ship.hex for ship in ships}
    homes = set(squadron.ships)
    flights = [
        flight.name
        for flight in battle.wing(squadron.side)
        if flight.home in homes and flight.state == "flying" and flight.hex in places
    ]
    leaving.take_off(battle, battle.squadrons[squadron.name], ships, way, flights)
