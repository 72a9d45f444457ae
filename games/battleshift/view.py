"""What a side knows: section 8, as a record of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.battleshift.data import facing_change, half_arc
from games.battleshift.rules.fog import flagship_seen, set_contacts
from games.battleshift.rules.moving import reach_of
from games.battleshift.rules.table import Battle
from games.battleshift.rules.thawing import thaw
from games.battleshift.rules.units import Quadrant, Squadron
from games.battleshift.state import QUADRANTS, Ending, Formation, Return, SideRecord, State, Switches
from pbem.kit.dice import LoadedDice
from pbem.kit.game import Outcome

SYSTEMS = ("light", "heavy", "broadside", "super", "missile", "bay", "interceptor", "ion", "heavy_ion", "assault")


@dataclass(frozen=True)
class ShipView:
    number: int
    x: int
    y: int
    status: str


@dataclass(frozen=True)
class SquadronView:
    """A squadron as the side knows it; None: not known."""

    name: str
    side: str
    own: bool
    known: bool
    ship_class: str | None
    size: int
    is_station: bool
    ships: tuple[ShipView, ...]
    facing: int
    damage: int | None
    total: int | None
    suppression: int | None
    formation: Formation | None
    taskforce: str | None
    flagship: int | None
    """Number of the flagship, if the squadron has it and the side may know."""
    where: str
    """Empty: on the table; otherwise where it is."""
    hull: int | None = None
    shields: str | None = None
    save: int | None = None
    speed: int | None = None
    half_arc: int | None = None
    facing_change: int | None = None
    systems: Mapping[str, int] = field(default_factory=dict)
    wings_aboard: int | None = None
    traits: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    prize: bool = False
    returns: Return | None = None
    started: int = 0

    @property
    def leader(self) -> ShipView | None:
        """The flagship, otherwise the first active ship, otherwise the first."""
        flag = [ship for ship in self.ships if ship.number == self.flagship]
        active = [ship for ship in self.ships if ship.status == "active"]
        return next(iter((*flag, *active, *self.ships)), None)

    @property
    def active(self) -> int:
        return sum(ship.status == "active" for ship in self.ships)


@dataclass(frozen=True)
class TaskforceView:
    name: str
    side: str
    own: bool
    squadrons: tuple[str, ...]
    flagship: str | None
    location: str
    mode: str | None
    player: str
    returns: Return | None
    standing: tuple[str, ...] = ()


@dataclass(frozen=True)
class FlightView:
    name: str
    side: str
    own: bool
    carrier: str
    wings: int
    x: int
    y: int
    ground: str
    controlled: bool
    standing: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuadrantView:
    place: str
    holder: str
    working: int
    damage: int
    installations: tuple[str, ...] | None
    assault: int | None
    wings_aboard: int | None
    objectives: tuple[str, ...]


@dataclass(frozen=True)
class BodyView:
    kind: str
    name: str
    x: int
    y: int
    radius: int
    owner: str
    defence: int
    quadrants: tuple[QuadrantView, ...] = ()


@dataclass(frozen=True)
class View:
    """The whole of it."""

    side: str | None
    title: str
    turn: int
    turn_limit: int
    stage: str
    width_ft: int
    height_ft: int
    sides: tuple[SideRecord, ...]
    switches: Switches
    terrain: tuple[BodyView, ...]
    squadrons: tuple[SquadronView, ...]
    taskforces: tuple[TaskforceView, ...]
    flights: tuple[FlightView, ...]
    vp: Mapping[str, int]
    ending: Ending | None

    def name_of(self, side: str) -> str:
        return next((one.name for one in self.sides if one.id == side), side)


def view(state: State, side: str | None) -> View:
    """What the side may know now; None: the moderator."""
    battle = thaw(state, LoadedDice())
    set_contacts(battle)
    hidden = state.stage == "setup" and side is not None
    return View(
        side=side,
        title=state.title,
        turn=state.turn,
        turn_limit=state.turn_limit,
        stage=state.stage,
        width_ft=state.width_ft,
        height_ft=state.height_ft,
        sides=tuple(_side_view(one, side) for one in state.sides),
        switches=state.switches,
        terrain=tuple(_body(battle, number, side) for number in range(len(battle.bodies))),
        squadrons=tuple(
            _squadron(battle, one, side)
            for one in battle.squadrons
            if _is_seen(one, side) and not (hidden and one.side != side)
        ),
        taskforces=tuple(_taskforces(battle, side, hidden=hidden)),
        flights=tuple(
            FlightView(
                f.name, f.side, side in (None, f.side), f.carrier if side in (None, f.side) else "", f.wings, f.x, f.y,
                f.ground, battle.is_controlled(f), f.standing if side in (None, f.side) else (),
            )
            for f in battle.flights
        ),
        vp=dict(state.vp),
        ending=state.ending,
    )  # fmt: skip


def _side_view(record: SideRecord, side: str | None) -> SideRecord:
    """Standing orders and the admiral's quality are the own side's business."""
    if side in (None, record.id):
        return record
    return SideRecord(record.id, record.name, record.edge, record.points)


def _is_seen(squadron: Squadron, side: str | None) -> bool:
    """Enemy squadrons only while they are on the table."""
    return side in (None, squadron.side) or bool(squadron.present)


def _squadron(battle: Battle, squadron: Squadron, side: str | None) -> SquadronView:
    own = side in (None, squadron.side)
    known = own or (side is not None and battle.identifies(side, squadron))
    name = squadron.name
    if not known and side is not None:
        name = battle.masked[side].get(squadron.key, "contact")
    present = squadron.present or ([s for s in squadron.ships if s.status in ("active", "disabled")] if own else [])
    if not known:
        ships = tuple(ShipView(n, s.x, s.y, "active") for n, s in enumerate(present, 1))
    else:
        ships = tuple(ShipView(s.number, s.x, s.y, s.status) for s in present)
    cls, reach = squadron.cls, reach_of(battle, squadron)
    flag = squadron.flagship
    flag_known = own or (side is not None and flagship_seen(battle, side, squadron))
    tf = squadron.taskforce
    return SquadronView(
        name=name,
        side=squadron.side,
        own=own,
        known=known,
        ship_class=cls.name if known else None,
        size=squadron.size,
        is_station=cls.is_station,
        ships=ships,
        facing=squadron.facing,
        damage=squadron.damage if known else None,
        total=squadron.total if known else None,
        suppression=squadron.suppression if known else None,
        formation=squadron.formation if known else None,
        taskforce=(tf.name if tf is not None else "") if known else None,
        flagship=flag.number if flag is not None and flag_known and known else None,
        where=_where(squadron),
        hull=cls.hull if known else None,
        shields=f"{cls.shields}x{cls.hardness}" if known else None,
        save=cls.save if known else None,
        speed=reach.speed if known else None,
        half_arc=(half_arc(cls.size) if not own else reach.half) if known else None,
        facing_change=(facing_change(cls.size) if not own else reach.turn) if known else None,
        systems={name: int(getattr(cls, name)) for name in SYSTEMS if getattr(cls, name)} if known else {},
        wings_aboard=squadron.wings_aboard if own else None,
        traits=tuple(sorted(squadron.traits if own else squadron.traits & squadron.traits_seen)) if known else (),
        standing=squadron.standing if own else (),
        prize=squadron.is_prize if known else False,
        returns=squadron.returns if own else None,
        started=len(squadron.ships) if known else len(ships),
    )


def _where(squadron: Squadron) -> str:
    if squadron.docked:
        return f"docked at {squadron.docked}"
    if squadron.present:
        return ""
    if any(ship.status == "hyperspace" for ship in squadron.ships):
        return "hyperspace"
    return "lost"


def _taskforces(battle: Battle, side: str | None, *, hidden: bool) -> list[TaskforceView]:
    found = []
    for tf in battle.taskforces:
        own = side in (None, tf.side)
        if not own and (hidden or tf.location == "reserve"):
            continue
        if not own and side is not None and not battle.identifies(side, tf) and tf.location == "table":
            continue
        flag_known = own or (side is not None and flagship_seen(battle, side, tf.flagship.squadron))
        members = [s.name for s in tf.squadrons if own or (side is not None and battle.identifies(side, s))]
        found.append(
            TaskforceView(
                tf.name,
                tf.side,
                own,
                tuple(members) if own or tf.location == "table" else (),
                tf.flagship.name if flag_known and (own or tf.location == "table") else None,
                tf.location,
                tf.mode if own else None,
                tf.player if own else "",
                tf.returns if own else None,
                tf.standing if own else (),
            )
        )
    return found


def _body(battle: Battle, number: int, side: str | None) -> BodyView:
    body = battle.bodies[number]
    own = side in (None, body.side)
    quadrants = tuple(_quadrant(body.quadrants[p], own, side) for p in QUADRANTS if p in body.quadrants)
    return BodyView(body.kind, body.name, body.x, body.y, body.radius, body.side, body.defence, quadrants)


def _quadrant(quadrant: Quadrant, own: bool, side: str | None) -> QuadrantView:
    mine = own or quadrant.side == side
    return QuadrantView(
        quadrant.place,
        quadrant.side,
        len(quadrant.working),
        quadrant.damage,
        quadrant.installations if own else None,
        quadrant.assault if mine else None,
        quadrant.wings_aboard if own else None,
        tuple(f"{o.name} {o.damage}/{o.total}" for o in quadrant.objectives),
    )


# --- secrets, gauges, outcome ----------------------------------------------------------------------------------------


def secrets(state: State, side: str) -> frozenset[str]:
    """Names the side may not know: reserves, and under fog what it has never identified."""
    battle = thaw(state, LoadedDice())
    set_contacts(battle)
    own = {s.name for s in state.squadrons if s.side == side} | {tf.name for tf in state.taskforces if tf.side == side}
    own |= {flight.name for flight in state.flights}
    known = own | set(state.known_names.get(side, ()))
    hidden: set[str] = set()
    for tf in battle.taskforces:
        if tf.side == side:
            continue
        unseen = tf.location == "reserve" or state.stage == "setup"
        if unseen or (state.switches.fog == "limited" and not battle.identifies(side, tf)):
            hidden.add(tf.name)
            if unseen:
                hidden.update(squadron.name for squadron in tf.squadrons)
    for squadron in battle.squadrons:
        fogged = bool(squadron.present) and not battle.identifies(side, squadron)
        if squadron.side != side and (fogged or state.stage == "setup"):
            hidden.add(squadron.name)
    return frozenset(hidden - known)


def gauges(seen: View) -> dict[str, dict[str, float]]:
    """Ships on the table, ships that are disabled, victory points, damage as percent, as far as known."""
    ships: dict[str, float] = {}
    damage: dict[str, float] = {}
    for side in seen.sides:
        there = [s for s in seen.squadrons if s.side == side.id and not s.where]
        ships[side.id] = float(sum(len(s.ships) for s in there))
        known = [s for s in seen.squadrons if s.side == side.id and s.total]
        total = sum(s.total or 0 for s in known)
        damage[side.id] = round(100 * sum(s.damage or 0 for s in known) / total, 1) if total else 0.0
    points = {side: float(value) for side, value in seen.vp.items()}
    return {"ships": ships, "damage percent": damage, "victory points": points}


def outcome(state: State) -> Outcome | None:
    if state.ending is None:
        return None
    winners = frozenset((state.ending.winner,)) if state.ending.winner else frozenset()
    return Outcome(winners, state.ending.reason, dict(state.vp))


def unit_names(state: State, side: str) -> tuple[str, ...]:
    """Names that may open a block."""
    names = [tf.name for tf in state.taskforces if tf.side == side]
    names += [s.name for s in state.squadrons if s.side == side and any(x.status not in GONE for x in s.ships)]
    names += [f.name for f in state.flights if f.side == side]
    return tuple(names + [body.name for body in state.terrain if body.owner == side and body.quadrants])


GONE = ("destroyed", "captured", "left")
