"""Where the words of all letters come from: the club's own templates first, then those of the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

import pbem
from pbem.kit import hexgrid
from pbem.report.plaintext import set_blocks, shown
from pbem.report.times import span, when


@dataclass(frozen=True)
class Environments:
    """Words are rendered plain once, then set as text and as HTML; only the last knows markup."""

    words: Environment
    """Contents and narratives: no markup, nothing to escape."""
    markup: Environment
    """HTML and SVG: everything is escaped."""

    def macro(self, template: str, name: str) -> Callable[..., str] | None:
        """A macro of a game's template, or None where it has none of that name."""
        found: Callable[..., str] | None = getattr(self._module(template), name, None)
        return found

    def _module(self, template: str) -> Any:
        loaded: Template = self.words.get_template(template)
        return loaded.module


def package_templates() -> Path:
    """Inside the installed package, or at the top of the checkout."""
    package = Path(pbem.__file__).parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


def environment(overrides: Path | None = None) -> Environments:
    """Both environments; a club's folder may replace any template under the same name.

    The sandbox keeps a club's template from reaching past the values it is given.
    """
    folders = [package_templates()] if overrides is None else [overrides, package_templates()]
    loader = ChoiceLoader([FileSystemLoader(folder) for folder in folders])
    return Environments(_environment(loader, escaping=False), _environment(loader, escaping=True))


def _environment(loader: BaseLoader, *, escaping: bool) -> Environment:
    made = SandboxedEnvironment(
        loader=loader,
        autoescape=escaping,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
    )
    made.filters.update(when=when, span=span, as_text=set_blocks, listed=listed, plural=plural, shown=shown)
    made.filters["hex_name"] = hexgrid.name
    return made


def listed(names: Any, word: str = "and") -> str:
    """``Alpha, Beta and Gamma``."""
    parts = [str(name) for name in names]
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def plural(count: int, one: str, many: str = "") -> str:
    """``1 order``, ``3 orders``."""
    return f"{count} {one if count == 1 else many or one + 's'}"
