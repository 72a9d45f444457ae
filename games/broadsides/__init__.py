"""Broadsides: ship-level starship combat on hexes, with plotted movement and secret orders."""

from __future__ import annotations

from games.broadsides.arcs import arcs
from games.broadsides.bot import bot
from games.broadsides.diagrams import diagrams
from games.broadsides.ending import gauges, outcome, phase, secrets, sides
from games.broadsides.form import template
from games.broadsides.orders import Order, own_units, read_orders
from games.broadsides.resolve import resolve
from games.broadsides.rules.setup import setup
from games.broadsides.scene import forecast, scene
from games.broadsides.state import State
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
    units=own_units,
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
    arcs=arcs,
    diagrams=diagrams,
)
