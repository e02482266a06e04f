"""Pages that stand in the way, and real pages that look a little like them."""

import pytest

from leadline.documents.obstacles import Obstacle, find_obstacle

TEXT = "A CAPTCHA asks its visitor to verify that you are human, for instance by typing what a picture shows. " * 30
CHINESE = "验证码要求用户输入图片中的文字，用来区分人和机器。请完成验证这句话在很多网站上都能看到。" * 40
RECAPTCHA = (
    '<form id="comments"><textarea></textarea><div class="g-recaptcha"></div><script src="/recaptcha/api.js"></script></form>'
)
LOGIN = '<form action="/login"><input name="user"><input type="password" name="pass"><button>Log in</button></form>'
COOKIES = (
    "<div id='cookie-consent'><p>We and our partners use cookies to store information.</p><button>Accept all</button></div>"
)


def page(body: str, title: str = "", head: str = "") -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


@pytest.mark.parametrize(
    ("kind", "markup"),
    [
        (
            "challenge",
            page("<p>Verifying you are human. This may take a few seconds.</p><p>Ray ID: 8d2f3a9c1e</p>", "Just a moment..."),
        ),
        ("challenge", page("<div>请拖动滑块完成验证码</div>", "安全验证")),
        ("challenge", page("<p>Our systems have detected unusual traffic from your computer network.</p>")),
        (
            "challenge",
            page("<h1>Checking your browser before accessing</h1>", "example.org", '<meta http-equiv="refresh" content="8">'),
        ),
        (
            "consent",
            page("<h1>Before you continue</h1><p>We use cookies and data.</p><form><button>Accept all</button></form>"),
        ),
        ("consent", page(COOKIES)),
        ("consent", page("<p>本网站使用Cookie来改善您的体验。</p><button>同意</button>")),
        ("login", page(LOGIN, "Example")),
        ("login", page("<form><input name=mail><button>Next</button></form>", "Sign in - Example")),
        ("login", page("<form><input name=phone></form>", "登录 - 某网")),
        (
            "paywall",
            page("<article><p>" + "The first lines are free. " * 20 + "</p></article><p>Subscribe to continue reading.</p>"),
        ),
        ("paywall", page("<article><p>" + "前几段是免费的。" * 30 + "</p></article><div class='paywall'>订阅后阅读全文</div>")),
        ("script", page('<div id="root"></div><script src="app.js"></script>')),
        ("script", page("<noscript>You need to enable JavaScript to run this app.</noscript><script>1</script>")),
    ],
)
def test_what_stands_in_the_way(kind: str, markup: str) -> None:
    obstacle = find_obstacle(markup, "https://example.org/a")
    assert obstacle is not None
    assert obstacle.kind == kind


@pytest.mark.parametrize(
    "markup",
    [
        page(f"<article><p>{TEXT}</p></article>", "How CAPTCHAs work"),
        page(f"<article><p>{CHINESE}</p></article>", "验证码的历史"),
        page(f"<article><p>{TEXT}</p></article>{RECAPTCHA}", "Our story"),
        page("<article><p>" + "A short article on pumps. " * 30 + f"</p></article>{RECAPTCHA}", "Pumps"),
        page(f"<header>{LOGIN}</header><article><p>{TEXT}</p></article>", "News"),
        page(f"{COOKIES}<article><p>{'Water is pumped up at night. ' * 30}</p></article>", "Pumps"),
        page(f"<p>Already a subscriber? Log in.</p><article><p>{TEXT * 2}</p></article>", "News"),
        page(f"<article><p>{TEXT}</p></article>", "News", '<meta http-equiv="refresh" content="0; url=/mobile">'),
        page("<p>A page of few words.</p><script>count()</script>", "Small"),
        page("<p>Words.</p>", "Live", '<meta http-equiv="refresh" content="300">'),
        page("<p>Words.</p>", "Live", '<meta http-equiv="refresh" content="0; url=https://example.org/a">'),
        "",
    ],
)
def test_what_is_a_page_to_read(markup: str) -> None:
    assert find_obstacle(markup, "https://example.org/a") is None


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/b?c=1", "https://example.org/b?c=1"),
        ("0;URL='https://other.example/'", "https://other.example/"),
        ("1, url=b", "https://example.org/b"),
        ("0; http://127.0.0.1/", "http://127.0.0.1/"),
    ],
)
def test_where_a_refresh_leads(content: str, target: str) -> None:
    head = f'<meta HTTP-EQUIV="Refresh" content="{content}">'
    assert find_obstacle(page("<p>Moved.</p>", "Moved", head), "https://example.org/a") == Obstacle("refresh", target)


@pytest.mark.parametrize(
    ("url", "headers", "kind"),
    [
        ("https://example.org/a", {"CF-Mitigated": "challenge"}, "challenge"),
        ("https://www.example.org/sorry/index?continue=x", {}, "challenge"),
        ("https://consent.example.org/m?continue=x", {}, "consent"),
    ],
)
def test_what_address_and_headers_tell(url: str, headers: dict[str, str], kind: str) -> None:
    obstacle = find_obstacle(page("<p>Words.</p>"), url, headers)
    assert obstacle is not None
    assert obstacle.kind == kind
