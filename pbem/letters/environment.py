"""Where the words of all letters come from: the club's own templates, those a game from outside brings, then ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
)
from jinja2.sandbox import SandboxedEnvironment

import pbem
from pbem.kit import hexgrid
from pbem.kit.package import SHARED_TEMPLATES, home_of, is_ours, published
from pbem.letters.plaintext import set_blocks, shown
from pbem.letters.times import span, when


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


class GamesFromOutside(BaseLoader):
    """Finds ``rafts/help.j2`` as ``templates/help.j2`` in the package that publishes the game ``rafts``."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        slug, _, name = template.partition("/")
        home = None if slug in SHARED_TEMPLATES or is_ours(slug) else home_of(slug)
        if home is None:
            raise TemplateNotFound(template)
        return FileSystemLoader(home.templates).get_source(environment, name)

    def list_templates(self) -> list[str]:
        homes = {slug: home_of(slug) for slug in published()}
        return [
            f"{slug}/{file.name}" for slug, home in homes.items() if home for file in home.files("templates", ".j2")
        ]


def environment(overrides: Path | None = None) -> Environments:
    """Both environments; a club's folder may replace any template under the same name.

    The sandbox keeps a club's template from reaching past the values it is given.
    """
    own = [] if overrides is None else [FileSystemLoader(overrides)]
    loader = ChoiceLoader([*own, GamesFromOutside(), FileSystemLoader(package_templates())])
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
