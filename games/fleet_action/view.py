"""Section 8: what a side knows. Reports, maps, forms and bots are made from a view, never from the state."""

from __future__ import annotations

from games.fleet_action.geometry import written_offset
from games.fleet_action.known import FleetView, FlightView, ShipView, SideView, SquadronView, View, WeaponView
from games.fleet_action.rules import plotting
from games.fleet_action.rules.command import has_fighter_ops
from games.fleet_action.rules.movement import limits
from games.fleet_action.state import Flight, Ship, Side, Squadron, State
from games.fleet_action.table import AIRBORNE, Table

__all__ = ["FleetView", "FlightView", "ShipView", "SideView", "SquadronView", "View", "WeaponView", "band", "view"]

BANDS = ((100, "intact"), (75, "light"), (50, "moderate"), (25, "heavy"), (0, "crippled"))


def view(state: State, side: str | None) -> View:
    """What a side knows now; None: the moderator, who sees all."""
    return _Lens(state, side).view()


def band(structure: int, most: int, fate: str = "in play") -> str:
    """Section 8: structure as the enemy sees it."""
    if fate != "in play":
        return fate
    return next(word for least, word in BANDS if structure * 100 >= least * most)


class _Lens:
    """Looks at the table with the eyes of one side."""

    def __init__(self, state: State, side: str | None) -> None:
        self.state = state
        self.side = side
        self.table = Table(state)
        self.open = state.switches.fog == "open"

    def owns(self, side: str) -> bool:
        return self.side is None or side == self.side

    def knows(self, side: str) -> bool:
        """The state of the unit is exact: it is one's own, or nothing is hidden."""
        return self.owns(side) or self.open

    def sees(self, squadron: Squadron) -> bool:
        """FA-DEP-4: forces not yet deployed or entered are seen by their owner alone."""
        if self.owns(squadron.side):
            return True
        return self.state.stage != "deployment" and squadron.state != "waiting"

    def view(self) -> View:
        state, table = self.state, self.table
        seen = [squadron for squadron in state.squadrons if self.sees(squadron)]
        names = {squadron.name for squadron in seen}
        fights = {f.hex for f in state.flights if f.state == "dogfight" and f.hex is not None}
        return View(
            side=self.side,
            name=state.name,
            turn=state.turn,
            stage=state.stage,
            map_w=state.map_w,
            map_h=state.map_h,
            situation=state.situation,
            engagement=state.engagement,
            turn_limit=state.turn_limit,
            gate=state.gate,
            switches=state.switches,
            sides=tuple(self._side(side) for side in state.sides),
            fleets=tuple(self._fleet(fleet.name) for fleet in state.fleets if self._sees_fleet(fleet.name)),
            squadrons=tuple(self._squadron(s) for s in seen if table.members(s)),
            ships=tuple(self._ship(ship) for ship in state.ships if ship.squadron in names),
            flights=tuple(self._flight(flight) for flight in state.flights if self._sees_flight(flight)),
            salvos=tuple(salvo for salvo in state.salvos if state.stage != "deployment" or self.owns(salvo.side)),
            vortices=state.vortices,
            plans=tuple(plan for plan in state.plans if self._owns_ship(plan.opener)),
            zones=state.zones,
            dogfights=tuple(sorted(fights)),
            standing=tuple(line for line in state.standing if self.owns(line.side)),
            result=state.result,
            buyable=self._buyable(),
        )

    def _owns_ship(self, name: str) -> bool:
        return self.owns(self.table.side_of(self.table.ships[name]))

    def _side(self, side: Side) -> SideView:
        own = self.owns(side.id)
        deployed = self.state.stage != "deployment"
        told = own or self.state.result is not None or self.open
        speed = side.fleet_speed if own or (deployed and not side.jumping) else None
        points = side.points if told else None
        limit = side.points_limit
        return SideView(side.id, side.name, side.navy, side.role, side.index, speed, points, own, side.jumping, limit)

    def _sees_fleet(self, name: str) -> bool:
        fleet = self.table.fleets[name]
        return any(self.sees(squadron) for squadron in self.state.squadrons if squadron.fleet == fleet.name)

    def _fleet(self, name: str) -> FleetView:
        fleet = self.table.fleets[name]
        own = self.owns(fleet.side)
        return FleetView(
            name=fleet.name,
            side=fleet.side,
            flagship=fleet.flagship,
            own=own,
            flagless_turn=fleet.flagless_turn,
            abilities=fleet.abilities if own else (),
            schedule=fleet.schedule if own else None,
        )

    def _squadron(self, squadron: Squadron) -> SquadronView:
        table, exact = self.table, self.knows(squadron.side)
        own = self.owns(squadron.side)
        members = table.members(squadron)
        flag = table.flagship_of(squadron)
        offsets = {ship.name: written_offset(squadron.formation[ship.name]) for ship in members}
        offsets.pop(squadron.command_ship, None)
        return SquadronView(
            name=squadron.name,
            side=squadron.side,
            own=own,
            fleet=squadron.fleet,
            command_ship=squadron.command_ship,
            is_flag=flag is not None and flag.squadron == squadron.name,
            ships=tuple(ship.name for ship in members),
            hex=squadron.hex,
            heading=squadron.heading,
            speed=squadron.speed,
            hexes=plotting.chart(squadron.speed),
            state=self._told_state(squadron),
            command_radius=table.command_radius(squadron.side),
            limits=limits(table, squadron) if exact else None,
            formation=offsets if own else None,
            style=squadron.style if exact else None,
            abilities=squadron.abilities if own else (),
            morale_start=squadron.morale_start if exact else None,
            morale_lost=squadron.morale_lost if exact else None,
            lost_commander_turn=squadron.lost_commander_turn if exact else None,
            outside_net=squadron.outside_net if exact else None,
            excess=squadron.excess if exact else None,
            patrol=squadron.patrol and own,
            arrives=squadron.arrives if own else None,
        )

    def _told_state(self, squadron: Squadron) -> str:
        """A jump is an order, secret until the vortex opens; the enemy knows a withdrawal."""
        if self.owns(squadron.side):
            return squadron.state
        return "normal" if squadron.state == "jumping" else squadron.state

    def _ship(self, ship: Ship) -> ShipView:
        table, card = self.table, self.table.card(ship)
        squadron = table.squadrons[ship.squadron]
        exact, own = self.knows(squadron.side), self.owns(squadron.side)
        return ShipView(
            name=ship.name,
            ship_class=ship.ship_class,
            class_name=card.name,
            category=card.category,
            squadron=ship.squadron,
            side=squadron.side,
            own=own,
            hex=ship.hex,
            heading=squadron.heading,
            band=band(ship.structure, card.structure, ship.fate),
            fate=ship.fate,
            structure=ship.structure if exact else None,
            structure_max=card.structure,
            sensor=ship.sensor if exact else None,
            sensor_max=card.sensor,
            points=card.points,
            cr=card.cr,
            defence=card.defence,
            armor=card.armor,
            weapons=self._weapons(ship, squadron),
            man_left=ship.man_left if exact else None,
            command=ship.command if exact else None,
            prev_hex=ship.prev_hex,
            elint=table.elint_level(ship) if exact else None,
            guardian=table.guardian_level(ship) if exact else None,
            interceptor=table.interceptor_level(ship) if exact else None,
            is_command=squadron.command_ship == ship.name,
            is_flagship=table.is_flagship(ship),
            jump=card.jump,
            jammer=card.jammer,
            tractor=card.tractor,
            gravitic=card.gravitic,
            hangar=card.hangar,
            prepared_jump_turn=ship.prepared_jump_turn if own else None,
            holding=ship.holding,
            held_by=ship.held_by,
            turn_hits=ship.turn_hits if exact else None,
        )

    def _weapons(self, ship: Ship, squadron: Squadron) -> tuple[WeaponView, ...]:
        exact = self.knows(squadron.side)
        return tuple(
            WeaponView(
                name=mount.name or mount.weapon,
                weapon=mount.weapon,
                title=weapon.name,
                secondary=weapon.is_secondary,
                rating=mount.rating,
                left=ship.weapon_left[number] if exact else None,
                arcs=mount.arcs,
                af=mount.af,
                range=weapon.range,
                last_std=ship.last_std[number] if exact else None,
                shots_this_turn=ship.shots_this_turn[number] if exact else None,
                powered_off=exact and number in ship.powered_off,
                proximity=weapon.proximity,
            )
            for number, mount, weapon in self.table.mounts(ship)
        )

    def _sees_flight(self, flight: Flight) -> bool:
        """Section 8: hangars are unseen; what flies is seen exactly."""
        if self.owns(flight.side):
            return True
        if self.state.stage == "deployment":
            return False
        return flight.state in AIRBORNE or (self.open and not self._is_waiting(flight))

    def _is_waiting(self, flight: Flight) -> bool:
        home = self.table.homes(flight)
        return home is not None and home.state == "waiting"

    def _flight(self, flight: Flight) -> FlightView:
        card, own = self.table.fighter(flight), self.owns(flight.side)
        told = self.knows(flight.side)
        return FlightView(
            name=flight.name,
            fighter_class=flight.fighter_class,
            class_name=card.name,
            side=flight.side,
            own=own,
            home=flight.home if told else None,
            count=flight.count,
            state=flight.state,
            hex=flight.hex,
            heading=flight.heading,
            move=card.move,
            points=plotting.chart(card.move),
            mission=flight.mission if told else None,
            charge=flight.charge if told else None,
            target=flight.target if told else None,
            prefer=flight.prefer if told else None,
            zone=flight.zone if told else None,
            radius=flight.radius if told else None,
            station=flight.station if told else None,
            land_on=flight.land_on if told else None,
            returning=flight.returning if told else None,
            doctrine=flight.doctrine if own else None,
            may_change=own and flight.state != "lost" and self._may_change(flight),
        )

    def _may_change(self, flight: Flight) -> bool:
        """FA-FTR-1: on odd turns; a flight still in its hangar takes any mission when it is launched."""
        if flight.state == "hangar" or self.state.turn % 2 == 1:
            return True
        home = self.table.homes(flight)
        return home is not None and has_fighter_ops(self.table, home)

    def _buyable(self) -> tuple[str, ...]:
        if self.side is None or self.state.stage != "deployment":
            return ()
        side = self.table.sides[self.side]
        if not side.points_limit:
            return ()
        ships = [key for key, card in self.table.cards.classes.items() if card.navy == side.navy]
        fighters = [key for key, card in self.table.cards.fighters.items() if card.navy == side.navy]
        return (*ships, *fighters)
