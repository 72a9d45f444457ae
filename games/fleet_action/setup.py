"""From a scenario or situation file to the opening state; what the file does not set comes from the data cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.fleet_action import files
from games.fleet_action.data import TABLES, ShipClass
from games.fleet_action.files import Entry, record
from games.fleet_action.rules import geometry
from games.fleet_action.rules.building import fresh_tracks
from games.fleet_action.rules.cards import house_catalogue, read_catalogue
from games.fleet_action.rules.deployment import DEFAULT_SPEED
from games.fleet_action.rules.salvos import Salvo
from games.fleet_action.state import (
    Fleet,
    Flight,
    Ship,
    Side,
    Squadron,
    StandingLine,
    State,
    Vortex,
    VortexPlan,
    Zone,
)
from pbem.kit.codec import BadData, build
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import Scenario


def setup(scenario: Scenario, dice: Dice) -> State:  # noqa: ARG001 - dice of the start fall when D1 closes
    """The opening state of a scenario, or the state a situation file describes."""
    return _Founder(scenario).state()


class _Founder:
    """Builds the state piece by piece; every complaint names the place in the file."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.extra = read_catalogue(scenario.data, scenario.key, house_catalogue())
        self.cards = house_catalogue().with_more(self.extra)
        self.opening = self._opening()
        self.sides: dict[str, Side] = {}
        self.names: set[str] = set()
        self.ships: dict[str, Ship] = {}
        self.squadrons: dict[str, Squadron] = {}

    def entries(self, kind: str, *names: str, class_word: str = "") -> Iterator[tuple[Entry, str]]:
        where = f"{self.scenario.key}.{kind}"
        return files.entries(self.scenario.data.get(kind, ()), where, *names, class_word=class_word)

    def state(self) -> State:
        self._take_sides()
        squadrons = self.entries("squadron", "name", "side")
        for said, where in sorted(squadrons, key=lambda entry: self._side(*entry).index):
            self._take_squadron(said, where)
        fleets = self._fleets()
        for squadron in self.squadrons.values():
            self.squadrons[squadron.name] = self._in_fleet(squadron, fleets)
        listed = self.entries("flight", "name", "home", "fighter_class", class_word="fighter_class")
        flights = tuple(self._flight(*entry) for entry in listed)
        vortices = tuple(self._vortex(*entry) for entry in self.entries("vortex", "opener"))
        fired = enumerate(self.entries("salvo", "weapon", "firer"), 1)
        salvos = tuple(self._salvo(number, *entry) for number, entry in fired)
        arrived = tuple(_at_its_vortex(squadron, vortices) for squadron in self.squadrons.values())
        return replace(
            self.opening,
            sides=tuple(self.sides.values()),
            fleets=fleets,
            squadrons=arrived,
            ships=tuple(self.ships.values()),
            flights=flights,
            salvos=salvos,
            vortices=vortices,
            plans=tuple(self._plans()),
            zones=tuple(record(Zone, *entry, {}) for entry in self.entries("zone")),
            standing=tuple(record(StandingLine, *entry, {}) for entry in self.entries("standing")),
            salvos_launched=max([len(salvos), *(salvo.number for salvo in salvos)]),
            founded=max((squadron.founded for squadron in arrived), default=0),
        )

    def _opening(self) -> State:
        """The game without its forces."""
        source = self.scenario.key
        said = files.head(self.scenario.data, source)
        stage = said.get("stage", "turn" if said.get("engagement", "fixed") == "fixed" else "deployment")
        begun = stage in ("reaction", "turn")
        defaults = {"name": "", "stage": stage, "turn": 1 if stage == "turn" else 0, "vortices_formed": begun}
        forces: dict[str, tuple[()]] = {"sides": (), "fleets": (), "squadrons": (), "ships": (), "flights": ()}
        opening = record(State, said, source, defaults, **forces, **vars(self.extra))
        return replace(opening, name=opening.name or self.scenario.title, styles_rolled=opening.styles_rolled or begun)

    # --- sides and fleets --------------------------------------------------------------------------------------------

    def _take_sides(self) -> None:
        listed = [*self.entries("side", "id", "navy")]
        if not 2 <= len(listed) <= 4:
            raise BadData(f"{self.scenario.key}.side", f"2 to 4 sides are possible, not {len(listed)}")
        # In a jump-in the attacker jumps, unless the file says who does.
        by_role = self.opening.engagement == "jump-in" and not any(said.get("jumping") for said, _ in listed)
        for index, (said, where) in enumerate(listed):
            role = said.get("role", "defender" if index == 0 else "attacker")
            jumping = said.get("jumping", False) or (by_role and role == "attacker")
            said = {**said, "jumping": jumping, "name": said.get("name") or said["navy"]}
            if isinstance(said.get("area"), Mapping):
                whole = {"columns": (1, self.opening.map_w), "rows": (1, self.opening.map_h)}
                said["area"] = {**whole, **said["area"]}
            if said["id"] in self.sides:
                raise BadData(f"{where}.id", f"two sides have the id '{said['id']}'")
            self.sides[said["id"]] = record(Side, said, where, {"role": role}, index=index)

    def _side(self, said: Entry, where: str) -> Side:
        side = self.sides.get(said["side"])
        if side is None:
            raise BadData(f"{where}.side", f"no side '{said['side']}'; the sides are {', '.join(self.sides)}")
        return side

    def _fleets(self) -> tuple[Fleet, ...]:
        own: dict[str, list[tuple[Entry, str]]] = {side: [] for side in self.sides}
        for said, where in self.entries("fleet", "side"):
            own[self._side(said, where).id].append((said, where))
        unnamed = f"{self.scenario.key}.fleet"
        return tuple(
            self._fleet(side, number, said, where)
            for side in self.sides.values()
            for number, (said, where) in enumerate(own[side.id] or [({"side": side.id}, unnamed)])
        )

    def _fleet(self, side: Side, number: int, said: Entry, where: str) -> Fleet:
        name = said.get("name") or (side.name if number == 0 else f"{side.name} {number + 1}")
        squadrons = [s for s in self.squadrons.values() if s.side == side.id]
        mine = [s for s in squadrons if s.fleet == name or (not s.fleet and number == 0)]
        flagship = said.get("flagship") or (mine[0].command_ship if mine else "")
        said = {**said, "name": name, "flagship": flagship, "abilities": self._abilities(said, flagship, where)}
        return record(Fleet, said, where, {})

    def _abilities(self, said: Entry, ship: str, where: str) -> list[Any]:
        place = f"{where}.abilities"
        return [files.ability(entry, ship, place) for entry in build(tuple[Any, ...], said.get("abilities", ()), place)]

    def _in_fleet(self, squadron: Squadron, fleets: Sequence[Fleet]) -> Squadron:
        names = [fleet.name for fleet in fleets if fleet.side == squadron.side]
        if not squadron.fleet:
            return replace(squadron, fleet=names[0])
        if squadron.fleet not in names:
            where = f"{self.scenario.key}.squadron.{squadron.name}.fleet"
            raise BadData(where, f"no fleet '{squadron.fleet}'")
        return squadron

    # --- squadrons and ships -----------------------------------------------------------------------------------------

    def _take_squadron(self, said: Entry, where: str) -> None:
        side = self._side(said, where)
        self._claim(said, where)
        listed = self._listed_ships(said, where)
        heading = build(int, said.get("heading", 1), f"{where}.heading")
        if heading not in geometry.HEADINGS:
            raise BadData(f"{where}.heading", f"1 to 6 is possible, not {heading}")
        command = self._command_ship(said, [ship for ship, _ in listed], where)
        at, formation = self._formation(said, [ship for ship, _ in listed], command, heading, where)
        for ship, place in listed:
            self._claim(ship, place)
            to = at.plus(geometry.to_map(formation[ship["name"]], heading))
            self.ships[ship["name"]] = self._ship(ship, place, said["name"], to)
        said = {
            **said,
            "command_ship": command,
            "ships": tuple(formation),
            "formation": formation,
            "abilities": self._abilities(said, command, where),
            "stray": said.get("stray", False) or said.get("state") == "stray",
        }
        defaults = {
            "fleet": "",
            "hex": at,
            "heading": heading,
            "speed": DEFAULT_SPEED if side.fleet_speed is None else side.fleet_speed,
            "morale_start": sum(len(self._class(*entry).grey) for entry in listed),
            "state": "waiting" if self._waits(said, side) else "normal",
            "arrives": 1 if side.jumping else None,
        }
        self.squadrons[said["name"]] = record(Squadron, said, where, defaults, default=(at, heading))

    def _listed_ships(self, said: Entry, where: str) -> list[tuple[Entry, str]]:
        place, kind = f"{where}.ships", "ship_class"
        listed = [*files.entries(said.get("ships", ()), place, "name", kind, class_word=kind)]
        if not listed:
            raise BadData(place, "a squadron needs at least one ship")
        return listed

    def _command_ship(self, said: Entry, ships: Sequence[Entry], where: str) -> str:
        """The first that lives, unless the file names one."""
        alive = [ship for ship in ships if ship.get("structure") != 0 and ship.get("fate", "in play") == "in play"]
        command: str = build(str, said.get("command_ship") or (alive or ships)[0]["name"], f"{where}.command_ship")
        if all(ship["name"] != command for ship in ships):
            raise BadData(f"{where}.command_ship", f"no ship '{command}' in the squadron")
        return command

    def _waits(self, said: Entry, side: Side) -> bool:
        """Squadrons of a jumping side without a hex, and reinforcements, are not on the map yet."""
        scheduled = [fleet for fleet, _ in self.entries("fleet", "side") if fleet.get("schedule")]
        reserve = any(f["side"] == side.id and f.get("name", "") == said.get("fleet", "") for f in scheduled)
        return reserve or (side.jumping and "hex" not in said)

    def _formation(
        self, said: Entry, ships: Sequence[Entry], command: str, heading: int, where: str
    ) -> tuple[Hex, dict[str, Hex]]:
        """The command ship's hex, and offsets in its frame: by template, by name, or from where the ships stand."""
        own = {ship["name"]: ship.get("hex") for ship in ships}
        at = said.get("hex") or own[command] or geometry.HERE
        offsets = files.offsets(said.get("formation", "wedge"), tuple(own), command, f"{where}.formation")
        for name, stands in own.items():
            if stands is not None:
                offsets[name] = geometry.to_frame(stands.minus(at), heading)
        return at, offsets

    def _class(self, ship: Entry, where: str) -> ShipClass:
        card = self.cards.classes.get(ship["ship_class"])
        if card is None:
            names = ", ".join(sorted(self.cards.classes))
            raise BadData(f"{where}.class", f"no ship class '{ship['ship_class']}'; known are {names}")
        return card

    def _ship(self, said: Entry, where: str, squadron: str, at: Hex) -> Ship:
        card = self._class(said, where)
        said = {**said, "hex": at}
        fresh = fresh_tracks(card)
        said["last_any"] = said.get("last_any") or said.get("last_std", ())
        for track in ("weapon_left", "last_std", "last_any", "shots_this_turn"):
            said[track] = files.per_weapon(card, said.get(track, ()), fresh[track], f"{where}.{track}")
        if isinstance(said.get("man_left"), Mapping):
            said["man_left"] = {**vars(card.manoeuvre), **said["man_left"]}
        off = build(tuple[str | int, ...], said.get("powered_off", ()), f"{where}.powered_off")
        said["powered_off"] = tuple(files.mount_number(card, word, f"{where}.powered_off") for word in off)
        if said.get("structure") == 0:
            said["fate"] = "destroyed"
        return record(Ship, said, where, fresh, squadron=squadron)

    # --- flights, salvos, vortices -----------------------------------------------------------------------------------

    def _home(self, ship: str, where: str) -> Squadron:
        if ship not in self.ships:
            raise BadData(where, f"no ship '{ship}'")
        return self.squadrons[self.ships[ship].squadron]

    def _flight(self, said: Entry, where: str) -> Flight:
        self._claim(said, where)
        if said["fighter_class"] not in self.cards.fighters:
            names = ", ".join(sorted(self.cards.fighters))
            raise BadData(f"{where}.class", f"no fighter class '{said['fighter_class']}'; known are {names}")
        home = self._home(said["home"], f"{where}.home")
        state = "hangar" if said.get("hex") is None else "flying"
        # With heading 0 its first direction of travel costs nothing.
        defaults: Entry = {"side": home.side, "count": TABLES.flight_size, "heading": 0, "state": state}
        if said.get("mission", "escort") == "escort":
            defaults["charge"] = home.name
        return record(Flight, said, where, defaults)

    def _salvo(self, number: int, said: Entry, where: str) -> Salvo:
        if said["weapon"] not in self.cards.weapons:
            raise BadData(f"{where}.weapon", f"no weapon '{said['weapon']}'")
        firer = said["firer"]
        squadron = self.squadrons.get(firer) or self._home(firer, f"{where}.firer")
        sensor = self.ships[firer].sensor if firer in self.ships else 0
        return record(Salvo, said, where, {"sensor": sensor, "number": number}, side=squadron.side)

    def _vortex(self, said: Entry, where: str) -> Vortex:
        home = self._home(said["opener"], f"{where}.opener")
        return record(Vortex, said, where, {"squadron": home.name, "open_turn": 1}, side=home.side)

    def _plans(self) -> Iterator[VortexPlan]:
        """FA-JMP-12: an offset belongs to the group whose hex stands last before it."""
        leaders: dict[str, VortexPlan] = {}
        for said, where in self.entries("plan", "opener"):
            home = self._home(said["opener"], f"{where}.opener")
            if said.get("hex") is not None:
                defaults = {"heading": self.sides[home.side].vortex_heading}
                leaders[home.fleet] = record(VortexPlan, said, where, defaults, leader=said["opener"])
                yield leaders[home.fleet]
                continue
            offset = geometry.read_offset(build(str, said.get("offset", ""), f"{where}.offset"))
            if offset is None or home.fleet not in leaders:
                raise BadData(where, "a hex, or an offset behind the plan of a leader, is needed")
            leader = leaders[home.fleet]
            yield VortexPlan(said["opener"], leader.opener, None, offset, leader.turn, leader.heading)

    def _claim(self, said: Entry, where: str) -> None:
        """Every name is one unit's."""
        folded = said["name"].casefold()
        if folded in self.names:
            raise BadData(f"{where}.name", f"two units have the name '{said['name']}'")
        self.names.add(folded)


def _at_its_vortex(squadron: Squadron, vortices: Sequence[Vortex]) -> Squadron:
    """FA-JMP-9: a squadron that waits starts in its command ship's vortex, else in its first."""
    mine = [vortex for vortex in vortices if vortex.squadron == squadron.name]
    if squadron.state != "waiting" or not mine:
        return squadron
    own = next((vortex for vortex in mine if vortex.opener == squadron.command_ship), mine[0])
    return replace(squadron, hex=own.hex, heading=own.direction, arrives=own.open_turn)
