"""Galleys: fleet battles of oared warships, about 500 to 30 BC."""

from __future__ import annotations

from games.galleys.bot import bot
from games.galleys.orders.plans import Order
from games.galleys.orders.reading import read_orders, units
from games.galleys.resolve import outcome, phase, resolve, sides
from games.galleys.rules.setup import setup
from games.galleys.scene import forecast, scene
from games.galleys.state import State
from games.galleys.view import View, gauges, secrets, template, view
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
)
