"""Encounters: a campaign of star systems, fleets and ground battles."""

from __future__ import annotations

from typing import Any

from games.encounters.bot import bot
from games.encounters.form import make_form
from games.encounters.orders import read_orders, units_of
from games.encounters.resolve import phase_of, resolve
from games.encounters.scene import forecast, make_scene
from games.encounters.setup import set_up
from games.encounters.standing import gauges, outcome_of, secrets, sides_of
from games.encounters.state import State
from games.encounters.view import View, make_view
from pbem.kit.game import Game

GAME: Game[State, Any, View] = Game(
    slug="encounters",
    title="Encounters",
    version="1.0",
    state_type=State,
    setup=set_up,
    sides=sides_of,
    phase=phase_of,
    units=units_of,
    read_orders=read_orders,
    resolve=resolve,
    view=make_view,
    scene=make_scene,
    template=make_form,
    forecast=forecast,
    outcome=outcome_of,
    bot=bot,
    secrets=secrets,
    gauges=gauges,
)
