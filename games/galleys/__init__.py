"""Galleys: fleet battles of oared warships, about 500 to 30 BC."""

from __future__ import annotations

from games.galleys.bot import bot
from games.galleys.choices import choices
from games.galleys.form import template
from games.galleys.imagined import imagined
from games.galleys.orders.reading import read_orders
from games.galleys.orders.records import FLEET, Order
from games.galleys.phase import outcome, phase, secrets, sides, units
from games.galleys.resolve import resolve
from games.galleys.scene import forecast, scene
from games.galleys.setup import setup
from games.galleys.state import State
from games.galleys.status import gauges
from games.galleys.view import View, view
from pbem.kit.game import Game

GAME: Game[State, Order, View] = Game(
    slug="galleys",
    title="Galleys",
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
    fleet=FLEET,
    imagined=imagined,
    choices=choices,
)
