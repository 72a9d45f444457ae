"""Chapter 4.3, the length of a path and its slide steps (BR-VAL-9, BR-VAL-10)."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.rules.burn import Burn
from games.broadsides.rules.craft import Fault, Plot, is_step, steps_in, with_slides_last, write_tokens


def measure(plot: Plot, burned: Burn) -> Fault | None:
    """BR-VAL-9 and BR-VAL-10: the length of the path and its slide steps."""
    if plot.tokens is None:
        return None
    length, v = steps_in(plot.tokens), burned.speed
    if length != v:
        fitted = with_slides_last(_fitted(plot.tokens, v), burned.slide) if burned.slide else _fitted(plot.tokens, v)
        way = "straight hexes are added" if length < v else f"it is cut after hex {v}"
        reason = f"the path is {length} hexes long, the speed is {v}"
        return Fault("BR-VAL-9", "path", reason, write_tokens(fitted), way, replace(plot, tokens=fitted))
    wanted = burned.slide.n if burned.slide else 0
    letter = {"port": "LP", "starboard": "LS"}[burned.slide.side] if burned.slide else ""
    found = [token for token in plot.tokens if token in ("LP", "LS")]
    if len(found) == wanted and all(token == letter for token in found):
        return None
    mended = with_slides_last(plot.tokens, burned.slide)
    state = f"{burned.slide.side} {wanted}" if burned.slide else "0"
    reason = f"the path holds {len(found)} slide steps, the slide is {state} (at most {v // 2} at speed {v})"
    instead = f"the slide steps come last: {write_tokens(mended)}"
    return Fault("BR-VAL-10", "path", reason, write_tokens(mended), instead, replace(plot, tokens=mended))


def _fitted(tokens: tuple[str, ...], v: int) -> tuple[str, ...]:
    length = steps_in(tokens)
    if length < v:
        return tokens + ("F",) * (v - length)
    kept: list[str] = []
    for token in tokens:
        if is_step(token) and steps_in(kept) == v:
            break
        kept.append(token)
    return tuple(kept) if v else tuple(token for token in kept if not is_step(token))
