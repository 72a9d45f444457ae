"""Encounters: a campaign of star systems, fleets and ground battles."""

from __future__ import annotations

from games.encounters.bot import bot
from games.encounters.choices import choices
from games.encounters.form import template
from games.encounters.imagined import imagined
from games.encounters.orders.headers import EMPIRE
from games.encounters.orders.reading import read_orders
from games.encounters.orders.records import Order
from games.encounters.phase import outcome, phase, secrets, sides, units
from games.encounters.resolve import resolve
from games.encounters.scene import forecast, scene
from games.encounters.setup import setup
from games.encounters.state import State
from games.encounters.status import gauges
from games.encounters.view import View, view
from pbem.kit.game import Game

GAME: Game[State, Order, View] = Game(
    slug="encounters",
    title="Encounters",
    version="1.0",
    state_type=State,
    setup=setup,
    sides=sides,
    phase=phase,
    units=units,
    read_orders=read_orders,
    resolve=resolve,
    view=view,
    scene=scene,
    template=template,
    forecast=forecast,
    outcome=outcome,
    bot=bot,
    secrets=secrets,
    gauges=gauges,
    fleet=EMPIRE,
    imagined=imagined,
    choices=choices,
)
