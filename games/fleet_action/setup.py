"""From a scenario or situation file to the opening state; what the file does not set comes from the data cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from games.fleet_action import geometry, given
from games.fleet_action.data import Catalogue, ShipClass, house_catalogue, read_catalogue
from games.fleet_action.state import (
    Ability,
    Area,
    Fleet,
    Flight,
    Gate,
    Manoeuvre,
    Role,
    Salvo,
    Schedule,
    Ship,
    Side,
    Squadron,
    StandingLine,
    State,
    Vortex,
    VortexPlan,
    Zone,
)
from games.fleet_action.tables import TABLES
from pbem.kit import codec, hexgrid
from pbem.kit.codec import BadData
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import Scenario

DEFAULT_SPEED = 5
_CARDS = ("weapon", "class", "fighter")


def setup(scenario: Scenario, dice: Dice) -> State:  # noqa: ARG001 - dice of the start fall when D1 closes
    """The opening state of a scenario, or the state a situation file describes."""
    house = house_catalogue()
    extra = read_catalogue(scenario.data, scenario.key, house)
    data = {key: value for key, value in scenario.data.items() if key not in _CARDS}
    wanted = codec.build(given.GivenGame, given.with_class_names(data), scenario.key)
    return _Founder(wanted, house.with_more(extra), scenario).state(extra)


@dataclass(frozen=True)
class _Founder:
    """Builds the state piece by piece; every complaint names the place in the file."""

    file: given.GivenGame
    cards: Catalogue
    scenario: Scenario

    def state(self, extra: Catalogue) -> State:
        sides = tuple(self._side(index, side) for index, side in enumerate(self.file.side))
        if not 2 <= len(sides) <= 4:
            raise BadData(f"{self.scenario.key}.side", f"2 to 4 sides are possible, not {len(sides)}")
        squadrons, ships = self._squadrons(sides)
        fleets = self._fleets(sides, squadrons)
        squadrons = tuple(self._in_fleet(squadron, fleets) for squadron in squadrons)
        flights = tuple(self._flight(flight, ships, squadrons) for flight in self.file.flight)
        self._check_names(squadrons, ships, flights)
        vortices = tuple(self._vortex(vortex, ships, squadrons) for vortex in self.file.vortex)
        squadrons = tuple(given.at_its_vortex(squadron, vortices) for squadron in squadrons)
        stage = self.file.stage or ("turn" if self.file.engagement == "fixed" else "deployment")
        turn = self.file.turn if self.file.turn is not None else (1 if stage == "turn" else 0)
        return State(
            name=self.file.name or self.scenario.title,
            turn=turn,
            stage=stage,
            map_w=self.file.map_w,
            map_h=self.file.map_h,
            sides=sides,
            fleets=fleets,
            squadrons=squadrons,
            ships=ships,
            flights=flights,
            switches=self.file.switches,
            seed=self.file.seed,
            situation=self.file.situation,
            engagement=self.file.engagement,
            gate=self._gate(),
            turn_limit=self.file.turn_limit,
            victory=self.file.victory,
            salvos=tuple(self._salvo(n, salvo, ships, squadrons) for n, salvo in enumerate(self.file.salvo, 1)),
            vortices=vortices,
            plans=self._plans(ships, squadrons),
            zones=tuple(Zone(self._hex(z.hex, "zone.hex"), z.radius, z.side) for z in self.file.zone),
            standing=tuple(StandingLine(line.side, line.unit, line.text) for line in self.file.standing),
            salvos_launched=max([len(self.file.salvo), *(salvo.number for salvo in self.file.salvo)]),
            founded=max((squadron.founded for squadron in squadrons), default=0),
            vortices_formed=self._formed(stage),
            styles_rolled=self.file.styles_rolled or stage in ("reaction", "turn"),
            weapons=extra.weapons,
            classes=extra.classes,
            fighters=extra.fighters,
        )

    def _formed(self, stage: str) -> bool:
        formed = self.file.vortices_formed
        return stage in ("reaction", "turn") if formed is None else formed

    def _hex(self, text: given.HexText, where: str) -> Hex:
        if not isinstance(text, str):
            return Hex(*text)
        found = hexgrid.parse(text)
        if found is None:
            raise BadData(f"{self.scenario.key}.{where}", f'a hex such as "2008" is needed, not {text!r}')
        return found

    def _gate(self) -> Gate | None:
        gate = self.file.gate
        return Gate(self._hex(gate.hex, "gate.hex"), gate.direction) if gate else None

    # --- sides and fleets --------------------------------------------------------------------------------------------

    def _side(self, index: int, side: given.GivenSide) -> Side:
        role: Role = side.role or ("defender" if index == 0 else "attacker")
        return Side(
            id=side.id,
            name=side.name or side.navy,
            navy=side.navy,
            role=role,
            index=index,
            area=self._area(side.area),
            jumping=side.jumping or self._jumps_by_role(role),
            points_limit=side.points_limit,
            fleet_speed=side.fleet_speed,
            vortex_heading=side.vortex_heading,
            anchored=side.anchored,
            points=side.points,
        )

    def _jumps_by_role(self, role: Role) -> bool:
        """In a jump-in the attacker jumps, unless the file says who does."""
        named = any(side.jumping for side in self.file.side)
        return self.file.engagement == "jump-in" and role == "attacker" and not named

    def _area(self, area: given.GivenArea | None) -> Area | None:
        if area is None:
            return None
        return Area(area.columns or (1, self.file.map_w), area.rows or (1, self.file.map_h))

    def _fleets(self, sides: Sequence[Side], squadrons: Sequence[Squadron]) -> tuple[Fleet, ...]:
        fleets: list[Fleet] = []
        for side in sides:
            named = [fleet for fleet in self.file.fleet if fleet.side == side.id]
            named = named or [given.GivenFleet(side.id)]
            fleets.extend(self._fleet(side, fleet, n, squadrons) for n, fleet in enumerate(named))
        for fleet in self.file.fleet:
            self._known_side(fleet.side, sides, f"fleet '{fleet.name}'")
        return tuple(fleets)

    def _fleet(self, side: Side, fleet: given.GivenFleet, number: int, squadrons: Sequence[Squadron]) -> Fleet:
        name = fleet.name or (side.name if number == 0 else f"{side.name} {number + 1}")
        mine = [s for s in squadrons if s.side == side.id and (s.fleet == name or (not s.fleet and number == 0))]
        flagship = fleet.flagship or (mine[0].command_ship if mine else "")
        schedule = fleet.schedule
        return Fleet(
            name=name,
            side=side.id,
            flagship=flagship,
            flagless_turn=fleet.flagless_turn,
            schedule=Schedule(**vars(schedule)) if schedule else None,
            abilities=tuple(self._ability(entry, flagship) for entry in fleet.abilities),
        )

    def _ability(self, entry: str | given.GivenAbility, ship: str) -> Ability:
        wanted = given.GivenAbility(entry) if isinstance(entry, str) else entry
        card = TABLES.ability.get(wanted.key)
        if card is None:
            known = ", ".join(sorted(TABLES.ability))
            raise BadData(f"{self.scenario.key}.abilities", f"no ability '{wanted.key}'; known are {known}")
        uses = wanted.uses if wanted.uses is not None else (card.uses or None)
        return Ability(wanted.key, uses, wanted.used_turn, ship)

    def _in_fleet(self, squadron: Squadron, fleets: Sequence[Fleet]) -> Squadron:
        mine = [fleet for fleet in fleets if fleet.side == squadron.side]
        if not squadron.fleet:
            return replace(squadron, fleet=mine[0].name)
        if squadron.fleet not in [fleet.name for fleet in mine]:
            raise BadData(f"{self.scenario.key}.squadron.{squadron.name}.fleet", f"no fleet '{squadron.fleet}'")
        return squadron

    def _known_side(self, side: str, sides: Sequence[Side], where: str) -> Side:
        for known in sides:
            if known.id == side:
                return known
        ids = ", ".join(known.id for known in sides)
        raise BadData(f"{self.scenario.key}: {where}", f"no side '{side}'; the sides are {ids}")

    # --- squadrons and ships -----------------------------------------------------------------------------------------

    def _squadrons(self, sides: Sequence[Side]) -> tuple[tuple[Squadron, ...], tuple[Ship, ...]]:
        squadrons: list[Squadron] = []
        ships: list[Ship] = []
        for wanted in sorted(self.file.squadron, key=lambda s: self._known_side(s.side, sides, s.name).index):
            side = self._known_side(wanted.side, sides, wanted.name)
            squadron, members = self._squadron(wanted, side)
            squadrons.append(squadron)
            ships.extend(members)
        return tuple(squadrons), tuple(ships)

    def _squadron(self, wanted: given.GivenSquadron, side: Side) -> tuple[Squadron, list[Ship]]:
        where = f"squadron.{wanted.name}"
        if not wanted.ships:
            raise BadData(f"{self.scenario.key}.{where}.ships", "a squadron needs at least one ship")
        if wanted.heading not in geometry.HEADINGS:
            raise BadData(f"{self.scenario.key}.{where}.heading", f"1 to 6 is possible, not {wanted.heading}")
        alive = [ship for ship in wanted.ships if ship.structure != 0 and ship.fate == "in play"]
        command = wanted.command_ship or (alive or wanted.ships)[0].name
        formation, at = self._formation(wanted, command, where)
        places = {name: at.plus(geometry.to_map(offset, wanted.heading)) for name, offset in formation.items()}
        ships = [self._ship(ship, wanted.name, places[ship.name]) for ship in wanted.ships]
        grey = sum(len(self._class(ship.ship_class).grey) for ship in wanted.ships)
        speed = wanted.speed if wanted.speed is not None else side.fleet_speed
        squadron = Squadron(
            name=wanted.name,
            side=wanted.side,
            fleet=wanted.fleet,
            command_ship=command,
            ships=tuple(ship.name for ship in wanted.ships),
            hex=at,
            heading=wanted.heading,
            speed=DEFAULT_SPEED if speed is None else speed,
            mode=wanted.mode,
            formation=formation,
            style=wanted.style,
            abilities=tuple(self._ability(entry, command) for entry in wanted.abilities),
            morale_start=grey if wanted.morale_start is None else wanted.morale_start,
            morale_lost=wanted.morale_lost,
            levels_rolled=frozenset(wanted.levels_rolled),
            state=wanted.state or ("waiting" if self._waits(wanted, side) else "normal"),
            lost_commander_turn=wanted.lost_commander_turn,
            outside_net=wanted.outside_net,
            excess=wanted.excess,
            lost_ship=wanted.lost_ship,
            damaged=wanted.damaged,
            fired_on=wanted.fired_on,
            stray=wanted.stray or wanted.state == "stray",
            net_change=wanted.net_change,
            patrol=wanted.patrol,
            default=(at, wanted.heading),
            enter_gate=wanted.enter_gate,
            arrives=wanted.arrives if wanted.arrives is not None else (1 if side.jumping else None),
            founded=wanted.founded,
        )
        return squadron, ships

    def _waits(self, wanted: given.GivenSquadron, side: Side) -> bool:
        """Squadrons of a jumping side without a hex, and reinforcements, are not on the map yet."""
        scheduled = any(f.name == wanted.fleet and f.schedule for f in self.file.fleet if f.side == side.id)
        return scheduled or (side.jumping and wanted.hex is None)

    def _formation(self, wanted: given.GivenSquadron, command: str, where: str) -> tuple[dict[str, Hex], Hex]:
        """Offsets in the commander frame: by template, by name, or from the hexes the ships stand in."""
        own = {ship.name: ship.hex for ship in wanted.ships}
        if command not in own:
            raise BadData(f"{self.scenario.key}.{where}.command_ship", f"no ship '{command}' in the squadron")
        start = wanted.hex if wanted.hex is not None else own[command]
        at = self._hex(start, f"{where}.hex") if start is not None else geometry.HERE
        offsets = self._offsets(wanted, command, where)
        for name, place in own.items():
            if place is not None:
                stands = self._hex(place, f"{where}.ships.{name}.hex")
                offsets[name] = geometry.to_frame(stands.minus(at), wanted.heading)
        return {ship.name: offsets[ship.name] for ship in wanted.ships}, at

    def _offsets(self, wanted: given.GivenSquadron, command: str, where: str) -> dict[str, Hex]:
        others = [ship.name for ship in wanted.ships if ship.name != command]
        if isinstance(wanted.formation, str):
            slots = TABLES.formation.get(wanted.formation)
            if slots is None:
                known = ", ".join(sorted(TABLES.formation))
                reason = f"no formation '{wanted.formation}'; known are {known}"
                raise BadData(f"{self.scenario.key}.{where}.formation", reason)
            named: Mapping[str, str] = dict(zip(others, slots, strict=False))
        else:
            named = wanted.formation
        offsets = {ship.name: geometry.HERE for ship in wanted.ships}
        for name, text in named.items():
            offset = geometry.read_offset(text)
            if name not in offsets or offset is None:
                reason = f'a ship of the squadron and an offset such as "FP1" are needed, not {text!r}'
                raise BadData(f"{self.scenario.key}.{where}.formation.{name}", reason)
            offsets[name] = offset
        return offsets

    def _class(self, key: str) -> ShipClass:
        found = self.cards.classes.get(key)
        if found is None:
            known = ", ".join(sorted(self.cards.classes))
            raise BadData(f"{self.scenario.key}: class", f"no ship class '{key}'; known are {known}")
        return found

    def _ship(self, wanted: given.GivenShip, squadron: str, at: Hex) -> Ship:
        card = self._class(wanted.ship_class)
        where = f"{self.scenario.key}.ships.{wanted.name}"
        row = Manoeuvre(card.come_about, card.hard_turn, card.course_correct, card.turn, card.max_accel, card.max_decel)
        return Ship(
            name=wanted.name,
            ship_class=wanted.ship_class,
            squadron=squadron,
            hex=at,
            structure=card.structure if wanted.structure is None else wanted.structure,
            sensor=card.sensor if wanted.sensor is None else wanted.sensor,
            weapon_left=given.per_weapon(card, wanted.weapon_left, [m.rating for m in card.weapons], where),
            man_left=replace(row, **dict(wanted.man_left or {})),
            turn_hits=wanted.turn_hits,
            last_std=given.per_weapon(card, wanted.last_std, [None] * len(card.weapons), where),
            last_any=given.per_weapon(card, wanted.last_any or wanted.last_std, [None] * len(card.weapons), where),
            shots_this_turn=given.per_weapon(card, wanted.shots_this_turn, [0] * len(card.weapons), where),
            prev_hex=None if wanted.prev_hex is None else self._hex(wanted.prev_hex, "prev_hex"),
            command=wanted.command,
            jammed_turn=wanted.jammed_turn,
            prepared_jump_turn=wanted.prepared_jump_turn,
            holding=wanted.holding,
            held_by=wanted.held_by,
            powered_off=tuple(given.mount_number(card, word, where) for word in wanted.powered_off),
            fate=wanted.fate if wanted.structure != 0 else "destroyed",
        )

    # --- flights, salvos, vortices -----------------------------------------------------------------------------------

    def _flight(self, wanted: given.GivenFlight, ships: Sequence[Ship], squadrons: Sequence[Squadron]) -> Flight:
        if wanted.fighter_class not in self.cards.fighters:
            known = ", ".join(sorted(self.cards.fighters))
            where = f"{self.scenario.key}.flight.{wanted.name}.class"
            raise BadData(where, f"no fighter class '{wanted.fighter_class}'; known are {known}")
        home = self._home(wanted.home, wanted.name, ships, squadrons)
        values = dict(vars(wanted))
        values["side"] = wanted.side or home.side
        values["state"] = wanted.state or ("hangar" if wanted.hex is None else "flying")
        for name in ("hex", "prev_hex", "zone"):
            values[name] = None if values[name] is None else self._hex(values[name], f"flight.{wanted.name}.{name}")
        if wanted.mission == "escort" and wanted.charge is None:
            values["charge"] = home.name
        return Flight(**values)

    def _home(self, ship: str, user: str, ships: Sequence[Ship], squadrons: Sequence[Squadron]) -> Squadron:
        for known in ships:
            if known.name == ship:
                return next(squadron for squadron in squadrons if squadron.name == known.squadron)
        raise BadData(f"{self.scenario.key}: {user}", f"no ship '{ship}'")

    def _salvo(
        self, number: int, wanted: given.GivenSalvo, ships: Sequence[Ship], squadrons: Sequence[Squadron]
    ) -> Salvo:
        if wanted.weapon not in self.cards.weapons:
            raise BadData(f"{self.scenario.key}.salvo.weapon", f"no weapon '{wanted.weapon}'")
        mines = [squadron.side for squadron in squadrons if squadron.name == wanted.firer]
        side = mines[0] if mines else self._home(wanted.firer, "salvo", ships, squadrons).side
        values = dict(vars(wanted))
        values["hex"] = None if wanted.hex is None else self._hex(wanted.hex, "salvo.hex")
        values["number"] = wanted.number or number
        if wanted.sensor is None:
            values["sensor"] = next((ship.sensor for ship in ships if ship.name == wanted.firer), 0)
        return Salvo(side=side, **values)

    def _vortex(self, wanted: given.GivenVortex, ships: Sequence[Ship], squadrons: Sequence[Squadron]) -> Vortex:
        home = self._home(wanted.opener, "vortex", ships, squadrons)
        at = self._hex(wanted.hex, "vortex.hex")
        return Vortex(at, wanted.direction, wanted.opener, wanted.squadron or home.name, wanted.open_turn, home.side)

    def _plans(self, ships: Sequence[Ship], squadrons: Sequence[Squadron]) -> tuple[VortexPlan, ...]:
        """FA-JMP-12: an offset belongs to the group whose hex stands last before it."""
        plans: list[VortexPlan] = []
        leaders: dict[str, VortexPlan] = {}
        for wanted in self.file.plan:
            home = self._home(wanted.opener, "plan", ships, squadrons)
            if wanted.hex is not None:
                at = self._hex(wanted.hex, "plan.hex")
                heading = wanted.heading or self._vortex_heading(home.side)
                leaders[home.fleet] = VortexPlan(wanted.opener, wanted.opener, at, None, wanted.turn, heading)
                plans.append(leaders[home.fleet])
                continue
            offset = geometry.read_offset(wanted.offset)
            if offset is None or home.fleet not in leaders:
                reason = "a hex, or an offset behind the plan of a leader, is needed"
                raise BadData(f"{self.scenario.key}.plan.{wanted.opener}", reason)
            leader = leaders[home.fleet]
            plans.append(VortexPlan(wanted.opener, leader.opener, None, offset, leader.turn, leader.heading))
        return tuple(plans)

    def _vortex_heading(self, side: str) -> int:
        return next(known.vortex_heading for known in self.file.side if known.id == side)

    def _check_names(self, *groups: Sequence[Squadron | Ship | Flight]) -> None:
        seen: set[str] = set()
        for unit in (unit for group in groups for unit in group):
            folded = unit.name.casefold()
            if folded in seen:
                raise BadData(f"{self.scenario.key}: {unit.name}", "two units have this name")
            seen.add(folded)
