"""Pages that stand in the way of a page: challenges, consent walls, log-ins, paywalls, script shells, refreshes.

They come with status 200 as often as not. A real page may speak about any of these, carry a log-in form in its head or a
reCAPTCHA in its comment form, so what counts is a page with little text of its own that asks for something.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urljoin, urlsplit

from resiliparse.parse.html import ElementNode, HTMLTree

from leadline.documents.blocks import remove_unseen, squeeze
from leadline.documents.cleaning import remove_consent, remove_unread
from leadline.documents.html_tree import parse_html, remove_hidden
from leadline.documents.obstacle_words import AGREE, CHALLENGE, CHALLENGE_TITLE, CONSENT, LOGIN_TITLE, NEEDS_SCRIPT, PAYWALL
from leadline.documents.wrapping import display_width

ObstacleKind = Literal["challenge", "consent", "login", "paywall", "script", "refresh"]

# Columns (a CJK character takes two) up to which a page may be nothing but what its words ask for.
_LITTLE = 1500
_VERY_LITTLE = 200
_LITTLE_OF_AN_ARTICLE = 4000  # a paywall shows the first paragraphs
_SOONEST = 10.0  # seconds after which a refresh is no redirect but a page that renews itself
_NOT_FREE = re.compile(r'"isAccessibleForFree"\s*:\s*"?false', re.IGNORECASE)
_SHELLS = "#root, #app, #__next, #__nuxt, #___gatsby, app-root, [data-reactroot], [ng-app]"
_DELAY = re.compile(r"\s*(\d*\.?\d*)\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"']*)[\"']?\s*$", re.IGNORECASE)
_IN_THE_WAY = re.compile(r"/sorry/index|/cdn-cgi/(?:challenge|l/chk)|/_sec/cp_challenge|/(?:captcha|antibot|punish)(?:/|$|\?)")


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What a page is instead of what was asked for. `target` is where a `refresh` leads, an absolute URL."""

    kind: ObstacleKind
    target: str = ""


def find_obstacle(markup: str, url: str = "", headers: Mapping[str, str] | None = None) -> Obstacle | None:
    """Return what stands in the way on a page, or None for a page to read.

    Args:
        markup: the page's HTML, decoded.
        url: where it came from, after redirects.
        headers: of the answer; `cf-mitigated: challenge` tells.

    Raises:
        DocumentError: `unreadable`, when a tag is such as no page has.
    """
    told = {name.lower(): value.lower() for name, value in (headers or {}).items()}
    if told.get("cf-mitigated") == "challenge" or is_challenge_address(url):
        return Obstacle("challenge")
    page = _Page.see(parse_html(markup), markup)
    if page.is_challenge():
        return Obstacle("challenge")
    if target := page.find_refresh(url):
        return Obstacle("refresh", target)
    if urlsplit(url).netloc.startswith("consent.") or page.is_consent():
        return Obstacle("consent")
    if page.is_login():
        return Obstacle("login")
    if page.is_paywall():
        return Obstacle("paywall")
    return Obstacle("script") if page.is_shell() else None


def is_challenge_address(url: str) -> bool:
    """Whether a URL is that of a challenge: sites send readers on to it."""
    return bool(_IN_THE_WAY.search(urlsplit(url).path))


@dataclass(frozen=True, slots=True)
class _Page:
    """What a visitor sees of a page. `own` is the text without notices about cookies; widths are in columns."""

    tree: HTMLTree
    markup: str
    title: str
    text: str
    width: int
    own_width: int

    @classmethod
    def see(cls, tree: HTMLTree, markup: str) -> "_Page":
        title = squeeze(remove_unseen(tree.title or ""))
        body = tree.body
        if body is None:
            return cls(tree, markup, title, "", 0, 0)
        shown = parse_html(body.html).body
        if shown is None:
            return cls(tree, markup, title, "", 0, 0)
        remove_unread(shown)
        remove_hidden(shown)
        text = squeeze(shown.text or "")
        remove_consent(shown)
        return cls(tree, markup, title, text, display_width(text), display_width(squeeze(shown.text or "")))

    def is_challenge(self) -> bool:
        """Whether the page asks its visitor to prove to be human."""
        if self.width > _LITTLE:
            return False
        return bool(CHALLENGE_TITLE.search(self.title) or (self.width < _LITTLE // 2 and CHALLENGE.search(self.text)))

    def find_refresh(self, url: str) -> str:
        """Return where the page sends its visitor at once, "" when it doesn't."""
        if self.width > _LITTLE or self.tree.document is None:
            return ""
        for meta in self.tree.document.query_selector_all("meta[http-equiv][content]").values():
            match = _DELAY.match(meta.getattr("content") or "")
            if (meta.getattr("http-equiv") or "").lower() != "refresh" or not match or _is_within(meta, "noscript"):
                continue
            target = _join(url, match.group(2).strip())
            if target and target != url and _to_seconds(match.group(1)) <= _SOONEST:
                return target
        return ""

    def is_consent(self) -> bool:
        """Whether the page is a request for consent with nothing to read beside it."""
        if self.own_width > _VERY_LITTLE and self.width > _LITTLE // 2:
            return False
        return bool(CONSENT.search(self.text) and AGREE.search(self.text + self._list_buttons()))

    def is_login(self) -> bool:
        """Whether the page is a form for a name and a password."""
        if self.own_width > _LITTLE:
            return False
        return self._has("input[type='password']") or (bool(LOGIN_TITLE.search(self.title)) and self._has("form, input"))

    def is_paywall(self) -> bool:
        """Whether the page breaks off and asks for a subscription."""
        if self.own_width > _LITTLE_OF_AN_ARTICLE or not PAYWALL.search(self.text):
            return False
        return (
            bool(_NOT_FREE.search(self.markup)) or self._has("[class*='paywall'], [id*='paywall']") or self.own_width <= _LITTLE
        )

    def is_shell(self) -> bool:
        """Whether the page's text is made by its scripts."""
        if self.own_width > _VERY_LITTLE or not self._has("script"):
            return False
        noscript = " ".join(e.text or "" for e in self._all("noscript")[:10])
        return self._has(_SHELLS) or bool(NEEDS_SCRIPT.search(f"{self.text} {noscript}"))

    def _list_buttons(self) -> str:
        return " " + " ".join(element.text or element.getattr("value") or "" for element in self._all("button, input")[:50])

    def _has(self, selector: str) -> bool:
        return self.tree.document is not None and self.tree.document.query_selector(selector) is not None

    def _all(self, selector: str) -> list[ElementNode]:
        return list(self.tree.document.query_selector_all(selector).values()) if self.tree.document else []


def _is_within(element: ElementNode, selector: str) -> bool:
    return element.closest(selector) is not None


def _to_seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _join(url: str, target: str) -> str:
    try:
        return urljoin(url, target)
    except ValueError:
        return ""
