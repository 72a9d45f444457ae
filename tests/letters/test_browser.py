"""HTML letters in headless Chromium: as wide as a phone, a reading pane and a window, with and without pictures."""

from __future__ import annotations

import base64
import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, Page, sync_playwright

from games import SHIPPED
from pbem.letters.content import Mail
from pbem.letters.pen import Pen
from tests.letters.axe import axe_script
from tests.letters.every_kind import all_letters, the_report
from tests.letters.playing import letters

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDTHS = (360, 600, 900)
SCREENS = Path(__file__).parent.parent / "golden" / "screens"
SCREEN_WIDTH, SCREEN_HEIGHT = 600, 1400


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield opened
        opened.close()


def shown(mail: Mail, *, pictures: bool = True) -> str:
    """The HTML as a mail program shows it, its pictures put in or held back."""
    html = mail.html or ""
    for part in mail.attachments:
        if part.inline:
            source = f"data:{part.type};base64,{base64.b64encode(part.data).decode()}" if pictures else "cid:none"
            html = html.replace(f"cid:{part.name}", source)
    return html


def opened(browser: Browser, html: str, width: int, scheme: str = "light") -> tuple[Page, list[str]]:
    """The page, and every address it asked for."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(html)
    return page, [url for url in asked if not url.startswith(("data:", "about:"))]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_letter_fits_its_window_and_asks_nobody_for_anything(width: int, browser: Browser, pen: Pen) -> None:
    for kind, mail in all_letters(pen).items():
        if mail.html is None:
            continue
        page, asked = opened(browser, shown(mail), width)

        assert page.evaluate("document.documentElement.scrollWidth") <= width, kind
        assert asked == [], kind
        page.context.close()


@pytest.mark.parametrize("slug", SHIPPED)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_report_of_every_game_fits_its_window(slug: str, width: int, browser: Browser, pen: Pen) -> None:
    made = letters(slug, pen)
    # What fits a phone fits a window; the report alone is looked at in all.
    for kind in ("opening", "receipt", "report") if width == WIDTHS[0] else ("report",):
        page, asked = opened(browser, shown(made[kind]), width)

        assert page.evaluate("document.documentElement.scrollWidth") <= width, kind
        assert asked == [], kind
        page.context.close()


def test_with_pictures_off_the_words_of_the_map_are_read(browser: Browser, pen: Pen) -> None:
    page, _ = opened(browser, shown(the_report(pen), pictures=False), 600)
    picture = page.get_by_alt_text("Alpha stands in 0607", exact=False)

    assert picture.count() == 1
    assert page.get_by_text("Alpha moves 2 hexes to 0607.").is_visible()
    page.context.close()


def test_type_is_large_enough_on_a_phone(browser: Browser, pen: Pen) -> None:
    page, _ = opened(browser, shown(the_report(pen)), 360)
    sizes = page.evaluate("[...document.querySelectorAll('p,li,td,th,pre')].map(e => getComputedStyle(e).fontSize)")

    assert min(float(size.removesuffix("px")) for size in sizes) >= 13
    page.context.close()


def test_a_dark_window_gets_a_dark_letter(browser: Browser, pen: Pen) -> None:
    page, _ = opened(browser, shown(the_report(pen)), 600, "dark")

    assert page.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor") == "rgb(27, 33, 41)"
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(232, 237, 243)"
    page.context.close()


@pytest.mark.parametrize("slug", SHIPPED)
def test_the_look_of_every_games_report_is_kept(
    slug: str, browser: Browser, pen: Pen, request: pytest.FixtureRequest
) -> None:
    """Compared coarsely, as fonts differ between machines: the same masses in the same places."""
    page, _ = opened(browser, shown(letters(slug, pen)["report"]), SCREEN_WIDTH)
    taken = page.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": SCREEN_WIDTH, "height": SCREEN_HEIGHT})
    page.context.close()
    image, kept = Image.open(io.BytesIO(taken)).convert("RGB"), SCREENS / f"{slug}.png"
    if request.config.getoption("--update-golden"):
        kept.parent.mkdir(parents=True, exist_ok=True)
        image.quantize(128, Image.Quantize.MAXCOVERAGE).save(kept, optimize=True)

    small = (SCREEN_WIDTH // 20, SCREEN_HEIGHT // 20)
    before, now = Image.open(kept).convert("L").resize(small), image.convert("L").resize(small)
    assert ImageStat.Stat(ImageChops.difference(before, now)).mean[0] < 20


AXE = axe_script()

if AXE is not None:

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_axe_finds_no_serious_fault_in_any_letter(scheme: str, browser: Browser, pen: Pen) -> None:
        """Headings in order, tables with headers, contrast, words for pictures, a language."""
        assert AXE is not None
        script = AXE.read_text(encoding="utf-8")
        for kind, mail in all_letters(pen).items():
            if mail.html is None:
                continue
            page, _ = opened(browser, shown(mail), 600, scheme)
            page.evaluate(script)
            found = page.evaluate("axe.run().then(result => result.violations)")

            serious = [
                (violation["id"], [node["html"][:120] for node in violation["nodes"]][:3])
                for violation in found
                if violation["impact"] in ("serious", "critical")
            ]
            assert serious == [], kind
            page.context.close()

    @pytest.mark.parametrize("slug", SHIPPED)
    def test_axe_finds_no_serious_fault_in_any_games_report(slug: str, browser: Browser, pen: Pen) -> None:
        assert AXE is not None
        page, _ = opened(browser, shown(letters(slug, pen)["report"]), 600)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run().then(result => result.violations)")
        page.context.close()

        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
