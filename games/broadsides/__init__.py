"""Broadsides: ship-level starship combat on hexes, with plotted movement and secret orders."""

from __future__ import annotations

from games.broadsides.arcs import arcs
from games.broadsides.bot import bot
from games.broadsides.choices import choices
from games.broadsides.diagrams import diagrams
from games.broadsides.form import template
from games.broadsides.imagined import imagined
from games.broadsides.orders.reading import read_orders
from games.broadsides.orders.records import Order
from games.broadsides.phase import FLEET, outcome, phase, secrets, sides, units
from games.broadsides.resolve import resolve
from games.broadsides.scene import forecast, scene
from games.broadsides.setup import setup
from games.broadsides.state import State
from games.broadsides.status import gauges
from games.broadsides.view import View, view
from pbem.kit.game import Game

GAME: Game[State, Order, View] = Game(
    slug="broadsides",
    title="Broadsides",
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
    arcs=arcs,
    diagrams=diagrams,
)
