"""A state that a view could come from: what section 8 hides is drawn from the dice, within what the cards allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from games.fleet_action.data import TABLES, Manoeuvre, ShipClass
from games.fleet_action.rules import geometry, victory
from games.fleet_action.rules.building import fresh_tracks
from games.fleet_action.rules.cards import house_catalogue
from games.fleet_action.rules.salvos import Salvo, SeenSalvo
from games.fleet_action.state import (
    Fleet,
    Flight,
    Known,
    OpenFlight,
    OpenShip,
    OpenSquadron,
    SeenFleet,
    SeenFlight,
    SeenShip,
    SeenSide,
    SeenSquadron,
    Ship,
    Side,
    Squadron,
    State,
)
from games.fleet_action.table import Table
from games.fleet_action.view import View, band
from pbem.kit.dice import Dice, Roll
from pbem.kit.hexgrid import Hex
from pbem.kit.records import shared

T = TypeVar("T")
BATTERED_ROWS = ("tn", "acc", "dec")
"""FA-DMG-6: the rows that a hit takes a point from."""


class AtBest:
    """Dice that all show 1: of what a view hides, the soundest that it allows, as the enemy's cards have it."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []

    def roll(self, sides: int, *label: object) -> Roll:
        return Roll("/".join(map(str, label)), sides, 1)


def imagined(view: View, dice: Dice) -> State:
    """The view with its gaps filled; seen by the same side, it is the same view again.

    Forces that were never seen are left out, since there may be none: enemies not yet deployed, reinforcements. Those
    that a vortex has announced wait behind it.
    """
    return _Imagination(view, dice).state()


class _Imagination:
    """Completes the records of one view."""

    def __init__(self, view: View, dice: Dice) -> None:
        self.view = view
        self.dice = dice
        self.deployed = view.stage != "deployment"
        self.cards = house_catalogue().with_more(view.cards)
        self.squadrons = {squadron.name: squadron for squadron in view.squadrons}
        crewed = {ship.squadron for ship in view.ships if ship.fate == "in play"}
        self.in_play = [squadron for squadron in view.squadrons if squadron.name in crewed]
        self.carriers: dict[tuple[str, str], list[SeenShip]] = {}

    def state(self) -> State:
        view = self.view
        squadrons = [self._squadron(squadron) for squadron in view.squadrons]
        ships = [self._ship(ship) for ship in view.ships]
        fleets = [self._fleet(fleet) for fleet in view.fleets]
        for fleet, squadron, ship in self._behind_vortices():
            fleets += [fleet] if all(fleet.name != other.name for other in fleets) else []
            squadrons.append(squadron)
            ships.append(ship)
        flying = [self._flight(flight) for flight in view.flights]
        salvos = tuple(self._salvo(salvo) for salvo in view.salvos)
        forces = {
            "sides": tuple(self._side(side) for side in view.sides),
            "fleets": tuple(fleets),
            "squadrons": tuple(squadrons),
            "ships": tuple(ships),
            "flights": (*flying, *self._in_hangars(flying)),
            "salvos": salvos,
        }
        drawn = State(
            **{**shared(Known, view), **forces},
            salvos_launched=max((salvo.number for salvo in salvos), default=0),
            founded=max((squadron.founded for squadron in squadrons), default=0),
            vortices_formed=self.deployed,
            styles_rolled=self.deployed,
            **vars(view.cards),
        )
        return self._scored(drawn)

    def draw(self, words: Sequence[T], *label: object) -> T:
        """One of them, by the dice; the first is the soundest."""
        return words[self.dice.roll(len(words), "imagined", *label).face - 1]

    # --- sides and squadrons -----------------------------------------------------------------------------------------

    def _side(self, side: SeenSide) -> Side:
        """FA-DEP-2: a speed not yet told is drawn; where it was told, it stands, and so does that there was none."""
        if isinstance(side, Side):
            return side
        told = self.deployed and not side.jumping
        speeds = range(TABLES.fleet_speed + 1)
        speed = side.fleet_speed if told else self.draw(speeds, side.id, "fleet speed")
        heading = self.draw(geometry.HEADINGS, side.id, "vortex heading")
        points = self.view.points.get(side.id, 0)
        return Side(**{**shared(SeenSide, side), "fleet_speed": speed}, vortex_heading=heading, points=points)

    def _scored(self, state: State) -> State:
        """FA-VIC-2: a side whose points are not told has what is counted for it."""
        if not self.deployed or len(self.view.points) == len(state.sides):
            return state
        table = Table(state)
        hidden = [side for side in state.sides if side.id not in self.view.points]
        for side in hidden:
            table.change(side, points=int(victory.points(table, side.id)))
        return table.frozen()

    def _fleet(self, fleet: SeenFleet) -> Fleet:
        return fleet if isinstance(fleet, Fleet) else Fleet(**shared(SeenFleet, fleet))

    def _squadron(self, squadron: SeenSquadron) -> Squadron:
        if isinstance(squadron, Squadron):
            return squadron
        if isinstance(squadron, OpenSquadron):
            known = shared(OpenSquadron, squadron)
        else:
            known = {**shared(SeenSquadron, squadron), **self._crews(squadron)}
        stray = squadron.state == "stray"
        return Squadron(**known, formation=self._formation(squadron), stray=stray)

    def _crews(self, squadron: SeenSquadron) -> dict[str, Any]:
        """FA-MOR-1, FA-CMD-16: morale from the cards, a style where there are any."""
        grey = sum(len(self._card(ship).grey) for ship in self.view.ships if ship.name in squadron.ships)
        styles = ("standard", *TABLES.styles) if self.view.switches.command_styles else ("standard",)
        return {"morale_start": grey, "style": self.draw(styles, squadron.name, "style")}

    def _formation(self, squadron: SeenSquadron) -> dict[str, Hex]:
        """FA-FRM-1: as the ships stand."""
        stands = {ship.name: ship.hex for ship in self.view.members(squadron)}
        offsets = dict.fromkeys(squadron.ships, geometry.HERE)
        for name, at in stands.items():
            offsets[name] = geometry.to_frame(at.minus(squadron.hex), squadron.heading)
        return offsets

    # --- ships -------------------------------------------------------------------------------------------------------

    def _card(self, ship: SeenShip) -> ShipClass:
        return self.view.cards.classes[ship.ship_class]

    def _ship(self, ship: SeenShip) -> Ship:
        if isinstance(ship, Ship):
            return ship
        if isinstance(ship, OpenShip):
            return Ship(**shared(OpenShip, ship), last_any=ship.last_std)
        card = self._card(ship)
        structure = self._structure(ship, card)
        tracks = self._battered(ship, card, card.structure - structure)
        return Ship(**shared(SeenShip, ship), **{**fresh_tracks(card), **tracks, "structure": structure})

    def _structure(self, ship: SeenShip, card: ShipClass) -> int:
        """Section 8: any figure of its band."""
        if ship.fate == "destroyed":
            return 0
        word = self.view.bands[ship.name]
        left = range(card.structure, 0, -1)
        fitting = [boxes for boxes in left if ship.fate == "left" or band(boxes, card.structure) == word]
        return self.draw(fitting or (0,), ship.name, "structure")

    def _battered(self, ship: SeenShip, card: ShipClass, marked: int) -> dict[str, Any]:
        """FA-DMG-2: with every structure box goes at most one system."""
        weapons = [mount.rating for mount in card.weapons]
        sensor, rows = card.sensor, dict(vars(card.manoeuvre))
        systems: tuple[str | int, ...] = ("sensor", *BATTERED_ROWS, *range(len(weapons)))
        for n in range(self.draw(range(marked + 1), ship.name, "systems hit")):
            system = self.draw(systems, ship.name, "system", n)
            if isinstance(system, int):
                weapons[system] = max(0, weapons[system] - 1)
            elif system == "sensor":
                sensor = max(0, sensor - 1)
            else:
                rows[system] = max(0, rows[system] - 1)
        return {"sensor": sensor, "weapon_left": tuple(weapons), "man_left": Manoeuvre(**rows)}

    # --- flights and salvos ------------------------------------------------------------------------------------------

    def _flight(self, flight: SeenFlight) -> Flight:
        if isinstance(flight, Flight):
            return flight
        if isinstance(flight, OpenFlight):
            return Flight(**shared(OpenFlight, flight))
        return Flight(**shared(SeenFlight, flight), **self._task(flight))

    def _task(self, flight: SeenFlight) -> dict[str, Any]:
        """FA-FTR-1: a home that could have launched it, and a mission that fits its enemies."""
        homes = [ship.name for ship in self._carriers(flight.side, flight.fighter_class)]
        home = self.draw(homes, flight.name, "home") if homes else ""
        friends = [squadron.name for squadron in self.in_play if squadron.side == flight.side]
        foes = [squadron.name for squadron in self.in_play if squadron.side != flight.side]
        tasks: list[dict[str, Any]] = [{"mission": "escort", "charge": name} for name in friends]
        tasks += [{"mission": "strike", "target": name} for name in foes]
        tasks += [{"mission": "superiority", "zone": flight.hex}]
        return {"home": home, **self.draw(tasks, flight.name, "mission")}

    def _carriers(self, side: str, fighter: str) -> list[SeenShip]:
        """FA-FTR-3: the side's ships that may carry such fighters."""
        key = (side, fighter)
        if key not in self.carriers:
            ships = [ship for ship in self.view.ships if self.squadrons[ship.squadron].side == side]
            self.carriers[key] = [ship for ship in ships if fighter in self._kinds(self._card(ship))]
        return self.carriers[key]

    def _kinds(self, card: ShipClass) -> tuple[str, ...]:
        """FA-BLD-4: the fighter classes a ship may carry."""
        if not card.hangar or card.hangar_types:
            return card.hangar_types if card.hangar else ()
        return tuple(key for key, fighter in self.cards.fighters.items() if fighter.navy == card.navy)

    def _in_hangars(self, flying: Sequence[Flight]) -> Iterator[Flight]:
        """Section 8: hangars are unseen; the enemy's hold as many flights as the dice say and places are left."""
        if not self.deployed or self.view.switches.fog == "open":
            return
        for ship in self.view.ships:
            squadron, card = self.squadrons[ship.squadron], self._card(ship)
            if self.view.owns(squadron.side) or ship.fate != "in play" or not card.hangar:
                continue
            away = sum(flight.home == ship.name for flight in flying)
            for n in range(self.draw(range(max(0, card.hangar - away), -1, -1), ship.name, "hangar")):
                name = f"{ship.name} flight {n + 1}"
                kind = self.draw(self._kinds(card), name, "class")
                count, side = TABLES.flight_size, squadron.side
                yield Flight(
                    name=name, fighter_class=kind, side=side, count=count, home=ship.name, charge=squadron.name
                )

    def _salvo(self, salvo: SeenSalvo) -> Salvo:
        """FA-WPN-9: what was frozen at launch; mines need nothing of the kind."""
        if isinstance(salvo, Salvo):
            return salvo
        firer = next((ship for ship in self.view.ships if ship.name == salvo.firer), None)
        most = 0 if firer is None else self._card(firer).sensor
        sensor = self.draw(range(most, -1, -1), "salvo", salvo.number, "sensor")
        return Salvo(**shared(SeenSalvo, salvo), sensor=sensor)

    # --- what vortices announce --------------------------------------------------------------------------------------

    def _behind_vortices(self) -> Iterator[tuple[Fleet, Squadron, Ship]]:
        """FA-JMP-3, 8: who opens a vortex is told; its class is drawn among those of its navy with a jump engine."""
        announced = {vortex.squadron: vortex for vortex in reversed(self.view.vortices)}
        for name, vortex in announced.items():
            if name in self.squadrons:
                continue
            side = next(side for side in self.view.sides if side.id == vortex.side)
            able = [card for card in self.cards.classes.values() if card.jump]
            card = self.draw([c for c in able if c.navy == side.navy] or able, vortex.opener, "class")
            fleet = next((fleet for fleet in self.view.fleets if fleet.side == side.id), None)
            fleet = fleet or SeenFleet(name=f"{side.name} in hyperspace", side=side.id, flagship=vortex.opener)
            squadron = Squadron(
                name=name,
                side=side.id,
                fleet=fleet.name,
                command_ship=vortex.opener,
                ships=(vortex.opener,),
                hex=vortex.hex,
                heading=vortex.direction,
                speed=self.draw(range(TABLES.fleet_speed + 1), name, "entry speed"),
                state="waiting",
                morale_start=len(card.grey),
                formation={vortex.opener: geometry.HERE},
                arrives=vortex.open_turn,
            )
            ship: dict[str, Any] = {"name": vortex.opener, "ship_class": card.key, "squadron": name, "hex": vortex.hex}
            yield self._fleet(fleet), squadron, Ship(**ship, **fresh_tracks(card))
