"""FA-JMP, FA-WDR-4: vortices that form and scatter, entering through them, and jumping out."""

from __future__ import annotations

from collections.abc import Sequence

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import JumpOrder
from games.fleet_action.rules import geometry, leaving
from games.fleet_action.state import Ship, Squadron, Vortex, VortexPlan
from games.fleet_action.table import Table, printed
from pbem.kit import hexgrid
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex, distance

LAST_PULSE = 3


# --- vortices --------------------------------------------------------------------------------------------------------


def scatter(table: Table, plans: Sequence[VortexPlan]) -> None:
    """FA-JMP-3, 4: the leader of each group first, then its others in roster order; direction, then distance."""
    roster = [ship.name for ship in table.ships.values()]
    ordered = sorted(plans, key=lambda plan: roster.index(plan.opener))
    leaders = [plan for plan in ordered if plan.hex is not None]
    formed: dict[str, Hex] = {}
    for leader in leaders:
        assert leader.hex is not None
        group = [plan for plan in ordered if plan.leader == leader.opener and plan.opener != leader.opener]
        formed[leader.opener] = _form(table, leader, leader.hex, leads=True)
        for plan in group:
            assert plan.offset is not None
            intended = formed[leader.opener].plus(geometry.to_map(plan.offset, plan.heading))
            formed[plan.opener] = _form(table, plan, intended, leads=False)
    for plan in ordered:
        if plan.opener in formed:
            _await(table, plan, formed[plan.opener])


def _form(table: Table, plan: VortexPlan, intended: Hex, *, leads: bool) -> Hex:
    """FA-JMP-3..6: where a vortex really forms."""
    ship = table.ships[plan.opener]
    squadron = table.squadron(ship)
    side = table.sides[squadron.side]
    rolls: list[Roll] = []
    at = intended
    if not side.anchored:
        at, rolls = _scattered(table, plan, intended, leads=leads)
    vortex = Vortex(at, plan.heading, plan.opener, squadron.name, plan.turn, squadron.side)
    table.amend(vortices=(*table.state.vortices, vortex))
    facts = {
        "side": squadron.side,
        "hex": printed(at),
        "direction": plan.heading,
        "squadron": squadron.name,
        "opener": plan.opener,
        "open_turn": plan.turn,
        "intended": None,
    }
    table.tell("vortex", "FA-JMP-3", squadron.side, {**facts, "intended": printed(intended)}, rolls)
    table.tell("vortex", "FA-JMP-3", table.others(squadron.side), facts)
    return at


def _scattered(table: Table, plan: VortexPlan, intended: Hex, *, leads: bool) -> tuple[Hex, list[Roll]]:
    navy = table.card(table.ships[plan.opener]).navy
    first, other, less = TABLES.scatter.get(navy, TABLES.scatter["plain"])
    direction = table.roll(6, "vortex", plan.opener, "direction")
    steps = table.roll(first if leads else other, "vortex", plan.opener, "distance")
    far = steps.face if leads else steps.face - less
    return _last_on_map(table, intended, direction.face, far), [direction, steps]


def _last_on_map(table: Table, start: Hex, direction: int, far: int) -> Hex:
    """FA-JMP-6: a scattered vortex forms at the last on-map hex of the scatter line."""
    line = [geometry.ahead(start, direction, step) for step in range(far + 1)]
    on_map = [at for at in line if table.on_map(at)]
    return on_map[-1] if on_map else next(near for near in hexgrid.disk(start, 99) if table.on_map(near))


def _await(table: Table, plan: VortexPlan, at: Hex) -> None:
    """FA-JMP-9: the squadron will start in its command ship's vortex, else in its first."""
    squadron = table.squadron(table.ships[plan.opener])
    mine = [v for v in table.state.vortices if v.squadron == squadron.name]
    leads = plan.opener == squadron.command_ship or mine[0].opener == plan.opener
    has_own = any(v.opener == squadron.command_ship for v in mine)
    if leads and (plan.opener == squadron.command_ship or not has_own):
        speed = table.sides[squadron.side].fleet_speed
        table.change(
            squadron,
            hex=at,
            heading=plan.heading,
            speed=squadron.speed if speed is None else speed,
            arrives=plan.turn,
            state="waiting",
        )


def scatter_primary(table: Table) -> None:
    """FA-JMP-3, 11: D1 closes; the flagships' groups form, and on a gate's beacon all that come on turn 1."""
    flags = {fleet.flagship for fleet in table.fleets.values()}
    now = [p for p in _due(table, 1) if p.leader in flags or table.sides[_side_of(table, p)].anchored]
    scatter(table, now)


def _side_of(table: Table, plan: VortexPlan) -> str:
    return table.side_of(table.ships[plan.opener])


def scatter_due(table: Table, turn: int) -> None:
    """FA-JMP-11: groups that come next turn form their vortices now; reinforcements only when they arrive."""
    formed = {vortex.opener for vortex in table.state.vortices}
    scatter(table, [plan for plan in _due(table, turn) if plan.opener not in formed])


def _due(table: Table, turn: int) -> list[VortexPlan]:
    """The vortices planned for a turn, without those of reinforcing fleets."""
    reserve = {f.name for f in table.fleets.values() if f.schedule is not None}
    return [
        plan
        for plan in table.state.plans
        if plan.turn == turn and table.squadron(table.ships[plan.opener]).fleet not in reserve
    ]


# --- entering --------------------------------------------------------------------------------------------------------


def enter(table: Table) -> None:
    """FA-JMP-7, 9: squadrons that come this turn stand in their vortices, at the gate, or at the edge."""
    for squadron in list(table.squadrons.values()):
        if squadron.state == "waiting" and squadron.arrives == table.turn:
            _enter(table, squadron)


def _enter(table: Table, squadron: Squadron) -> None:
    vortices = {v.opener: v.hex for v in table.state.vortices if v.squadron == squadron.name}
    way = "vortex" if vortices else ("gate" if squadron.enter_gate else "edge")
    entered = table.change(squadron, state="normal")
    for ship in table.members(entered):
        at = vortices.get(ship.name, squadron.hex)
        if way == "edge":
            at = squadron.hex.plus(geometry.to_map(squadron.formation[ship.name], squadron.heading))
            at = at if table.on_map(at) else squadron.hex
        table.change(ship, hex=at, prev_hex=at if way != "edge" else None)
    facts = {
        "side": squadron.side,
        "squadron": squadron.name,
        "hex": printed(squadron.hex),
        "heading": squadron.heading,
        "way": way,
        "ships": [ship.name for ship in table.members(entered)],
    }
    table.tell("enter", "FA-JMP-9", table.audience, facts)


def close_vortices(table: Table) -> None:
    """FA-JMP-7: the opener enters last; its vortex then closes."""
    open_still = tuple(v for v in table.state.vortices if v.open_turn > table.turn)
    table.amend(vortices=open_still)


# --- leaving ---------------------------------------------------------------------------------------------------------


def is_jumping(table: Table, squadron: Squadron) -> bool:
    """FA-WDR-4: a ship of it prepared a jump last turn, so it may only maintain course."""
    if squadron.state == "jumping":
        return True
    return any(ship.prepared_jump_turn == table.state.turn - 1 for ship in table.members(squadron))


def prepare(table: Table) -> None:
    """FA-WDR-4: pre-turn, ``jump``: the vortex opens at the end of the next turn."""
    for squadron in table.in_play():
        for ship in table.members(squadron):
            if table.book.first(JumpOrder, ship.name) is None or not table.card(ship).jump:
                continue
            if ship.prepared_jump_turn == table.turn - 1:
                # It jumps this turn; the order given again does not put it off.
                continue
            table.change(ship, prepared_jump_turn=table.turn)
            current = table.squadrons[squadron.name]
            if current.state == "normal":
                table.change(current, state="jumping")


def openers(table: Table, squadron: Squadron) -> list[Ship]:
    """The living ships whose vortex opens at the end of this turn."""
    return [s for s in table.members(squadron) if s.prepared_jump_turn == table.turn - 1]


def leaves_this_pulse(table: Table, ship: Ship) -> bool:
    """FA-FIRE-16: a ship that jumps out in this pulse does not fire."""
    if table.pulse != LAST_PULSE:
        return False
    squadron = table.squadron(ship)
    if uses_gate(table, squadron) and table.state.gate is not None:
        return distance(ship.hex, table.state.gate.hex) <= TABLES.jump_radius
    return any(distance(ship.hex, opener.hex) <= TABLES.jump_radius for opener in openers(table, squadron))


def uses_gate(table: Table, squadron: Squadron) -> bool:
    """FA-WDR-4: the gate may be used at once by a withdrawing squadron that ends within 1 hex of it."""
    gate = table.state.gate
    if gate is None or squadron.state != "withdrawing":
        return False
    return distance(table.commander(squadron).hex, gate.hex) <= TABLES.gate_radius


def jump_out(table: Table) -> None:
    """FA-WDR-4: end of turn; every ship within 3 hexes of the vortex, with flights aboard or alongside, leaves."""
    for squadron in table.in_play():
        if not table.members(squadron):
            continue
        if uses_gate(table, squadron) and table.state.gate is not None:
            _leave_through(table, squadron, table.state.gate.hex, "gate")
            continue
        ready = openers(table, squadron)
        if ready:
            opener = ready[0]
            facts = {"side": squadron.side, "squadron": squadron.name, "ship": opener.name}
            table.tell("jump", "FA-WDR-4", table.audience, {**facts, "hex": printed(opener.hex)})
            _leave_through(table, squadron, opener.hex, "jump")
        elif squadron.state == "jumping" and not any(
            s.prepared_jump_turn == table.turn for s in table.members(squadron)
        ):
            table.change(squadron, state="normal")


def _leave_through(table: Table, squadron: Squadron, at: Hex, way: str) -> None:
    ships = [s for s in table.members(squadron) if distance(s.hex, at) <= TABLES.jump_radius]
    places = {ship.hex for ship in ships}
    homes = set(squadron.ships)
    flights = [
        flight.name
        for flight in table.wing(squadron.side)
        if flight.home in homes and flight.state == "flying" and flight.hex in places
    ]
    leaving.take_off(table, table.squadrons[squadron.name], ships, way, flights)
