"""Battleshift: mass starship battles on an inch table."""

from games.battleshift.bot import bot
from games.battleshift.form import template
from games.battleshift.orders.reading import read_orders
from games.battleshift.orders.words import Order
from games.battleshift.resolve import phase, resolve, sides
from games.battleshift.rules.opening import setup
from games.battleshift.scene import forecast, scene
from games.battleshift.state import State
from games.battleshift.tools import TOOLS
from games.battleshift.view import View, gauges, outcome, secrets, unit_names, view
from pbem.kit.game import Game

GAME: Game[State, Order, View] = Game(
    slug="battleshift",
    title="Battleshift",
    version="1.07.1",
    state_type=State,
    setup=setup,
    sides=sides,
    phase=phase,
    units=unit_names,
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
    tools=TOOLS,
)
