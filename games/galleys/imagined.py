"""A battle that a view could come from: what fog and sealed orders hide is drawn from the dice (section 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from games.galleys.state import (
    Fleet,
    OpenShip,
    OpenSquadron,
    SeenFleet,
    SeenShip,
    SeenSquadron,
    Ship,
    Squadron,
    State,
)
from games.galleys.view import FRESH, STRENGTHS, View
from pbem.kit.dice import Dice

T = TypeVar("T")

CREWS = (-1, 0, 0, 0, 0, 1, 1, 2)
MARINE_QUALITIES = (-1, 0, 0, 0, 1, 1)
MORALES = (6, 7, 7, 8, 8, 8, 9, 9)
"""A squadron's crews, marines and morale, the common ones more than once."""
TIREDNESS = (1, 1, 1, 2, 2, 3)
DEBTS = (0, 0, 0, 1)
POTS = (0, 1, 1, 2)
PRIZE_CREW = -1
"""GA-BRD-6."""


def imagined(view: View, dice: Dice) -> State:
    """The view with its gaps filled; seen by the same side, it is the same view again."""
    return State(
        title=view.title,
        turn=view.turn,
        first_side=view.first_side,
        sides=tuple(_fleet(fleet) for fleet in view.sides),
        squadrons=tuple(_squadron(squadron, dice) for squadron in view.squadrons),
        ships=_Shipyard(view, dice).ships(),
        sea=view.sea,
        switches=view.switches,
        classes=view.classes,
        links=view.links,
        result=view.result,
        step=view.step,
    )


def _fleet(fleet: SeenFleet) -> Fleet:
    """The enemy's admiral keeps his doctrines and his list of squadrons to himself: the book's defaults."""
    return fleet if isinstance(fleet, Fleet) else Fleet(**vars(fleet))


def _squadron(squadron: SeenSquadron, dice: Dice) -> Squadron:
    if isinstance(squadron, Squadron):
        return squadron
    if isinstance(squadron, OpenSquadron):
        return Squadron(**vars(squadron))
    return Squadron(**vars(squadron), morale=_drawn(dice, MORALES, squadron.name, "morale"))


class _Shipyard:
    """Builds each ship of the view whole; ships of one home squadron were manned together."""

    def __init__(self, view: View, dice: Dice) -> None:
        self.view = view
        self.dice = dice
        homes = tuple(dict.fromkeys(ship.home_squadron for ship in view.ships if not isinstance(ship, OpenShip)))
        self.crews = {home: _drawn(dice, CREWS, home, "crew") for home in homes}
        self.qualities = {home: _drawn(dice, MARINE_QUALITIES, home, "marine quality") for home in homes}
        self.flames = {home: _drawn(dice, (False, True), home, "flame") for home in homes}
        self.pots = {home: _drawn(dice, POTS, home, "firepots") for home in homes}

    def ships(self) -> tuple[Ship, ...]:
        return tuple(self._ship(ship) for ship in self.view.ships)

    def _ship(self, ship: SeenShip) -> Ship:
        """Her standing orders are nobody's business; at the last level seen she rowed this turn."""
        if isinstance(ship, Ship):
            return ship
        return Ship(**vars(ship if isinstance(ship, OpenShip) else self._manned(ship)), level=ship.last_level)

    def _manned(self, ship: SeenShip) -> OpenShip:
        home, switches = ship.home_squadron, self.view.switches
        return OpenShip(
            **vars(ship),
            crew=PRIZE_CREW if ship.prize else self.crews[home],
            marine_quality=self.qualities[home],
            marines=self._marines(ship),
            flame=switches.flame_missiles and ship.towers and not ship.prize and self.flames[home],
            firepots=self.pots[home] if switches.firepots and not ship.prize else 0,
            fatigue=self._fatigue(ship),
            debt=_drawn(self.dice, DEBTS, ship.name, "debt") if self._may_owe(ship) else 0,
        )

    def _marines(self, ship: SeenShip) -> int:
        """The number where it was counted, else one that the word allows and, if it can be, the class has room for."""
        said = self.view.figures[ship.name].marines
        if isinstance(said, int):
            return said
        place = next(place for place, (_, word) in enumerate(STRENGTHS) if word == said)
        least = STRENGTHS[place - 1][0] + 1 if place else 0
        most = max(least, min(STRENGTHS[place][0], self.view.class_of(ship).marines))
        return _drawn(self.dice, range(least, most + 1), ship.name, "marines")

    def _fatigue(self, ship: SeenShip) -> int:
        said = self.view.figures[ship.name].fatigue
        if isinstance(said, int):
            return said
        return 0 if said == FRESH else _drawn(self.dice, TIREDNESS, ship.name, "fatigue")

    def _may_owe(self, ship: SeenShip) -> bool:
        """GA-AVD-2, -5: nobody has avoided anything before the first turn, and these never do."""
        return self.view.turn > 1 and ship.afloat and not (ship.crippled or ship.rammed or ship.prize)


def _drawn(dice: Dice, among: Sequence[T], *label: str) -> T:
    return among[dice.roll(len(among), "imagined", *label).face - 1]
