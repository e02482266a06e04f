import pytest

from leadline.documents import Document, read_document
from leadline.errors import DocumentError


def read(body: str, head: str = "") -> Document:
    return read_document(f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>".encode(), "a.html")


def test_structure_becomes_light_markdown() -> None:
    page = """
      <h1>Storage <a class="headerlink" href="#s">¶</a></h1>
      <p>Rows are <em>kept</em>
         in <code>pages</code> of 8&nbsp;kB &amp; more.</p>
      <ul><li>first<ul><li><p>nested</p></li></ul></li><li><p>second</p><p>and its second paragraph</p></li></ul>
      <pre>SELECT 1;\n  -- indented &lt;here&gt;\n</pre>
      <table><thead><tr><th>name</th><th>size</th></tr></thead><tbody><tr><td>a|b</td><td><p>8 kB</p></td></tr></tbody></table>
      <dl><dt>page</dt><dd>A block of 8 kB.</dd><dt>术语</dt><dd>定义。</dd></dl>
    """
    assert read(page).text == (
        "# Storage\n\nRows are kept in pages of 8 kB & more.\n\n- first\n- nested\n- second\n\nand its second paragraph\n\n"
        "```\nSELECT 1;\n  -- indented <here>\n```\n\nname | size\na|b | 8 kB\n\n- page: A block of 8 kB.\n- 术语：定义。"
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>secret</div>",
        '<div style="color:red; display : none">secret</div>',
        "<span style='visibility:hidden'>secret</span>",
        "<span style='font-size:0'>secret</span>",
        "<span style='font-size: 0px;'>secret</span>",
        "<span style='opacity:0.0'>secret</span>",
        "<span aria-hidden='true'>secret</span>",
        "<p style='position:absolute;left:-9999px'>secret</p>",
        "<p style='position: fixed; top: -999em'>secret</p>",
        "<p style='text-indent: -9999px'>secret</p>",
        "<p style='margin-left:-10000px'>secret</p>",
        "<p style='transform:translateX(-9999px)'>secret</p>",
        "<p style='transform: scale(0)'>secret</p>",
        "<p style='position:absolute;clip:rect(0,0,0,0)'>secret</p>",
        "<p style='position:absolute;clip: rect(1px 1px 1px 1px)'>secret</p>",
        "<p style='clip-path:inset(50%)'>secret</p>",
        "<p style='height:0;overflow:hidden'>secret</p>",
        "<p style='overflow:hidden;width:1px'>secret</p>",
        "<p style='max-height:0px;overflow-y:hidden'>secret</p>",
        "<p style='color:transparent'>secret</p>",
        "<!-- secret -->",
        "<script>secret</script>",
        "<style>secret</style>",
        "<template><p>secret</p></template>",
        "<noscript>secret</noscript>",
        "<p>visible<!-- > secret --></p>",
        "<textarea>secret</textarea>",
        "<svg><text>secret</text></svg>",
    ],
)
def test_what_is_not_seen_is_not_read(hidden: str) -> None:
    assert "secret" not in read(f"<p>Before.</p>{hidden}<p>After.</p>").text


@pytest.mark.parametrize(
    "style",
    [
        "opacity:0.5", "font-size:0.9em", "display:block", "font-size: 10px", "margin-left:-20px", "text-indent:-2em",
        "height:0.5em;overflow:hidden", "line-height:0;overflow:hidden", "background-color:transparent", "overflow:hidden",
        "width:100%;overflow:hidden", "transform:scale(0.9)", "left:-10%", "min-width:0;overflow:hidden", "clip:auto",
        "width:10px;overflow:hidden",
    ],
)  # fmt: skip
def test_what_is_seen_is_read(style: str) -> None:
    assert "shown" in read(f"<p style='{style}'>shown</p>").text


def test_a_tag_such_as_no_page_has_makes_a_page_unreadable() -> None:
    attributes = " ".join(f"data-{number}='>'" for number in range(2000))
    with pytest.raises(DocumentError, match="more than 1,000 attributes"):
        read(f"<p {attributes}>text</p>")
    assert "text" in read(f"<!-- <p {attributes}> --><script>if (a<b {attributes}) f()</script><p>text</p>").text


def test_characters_that_are_not_seen_are_removed() -> None:
    assert read("<p>pass\u200bword\u202e \u2066and\u00ad more\ufeff</p>").text == "password and more"


def test_navigation_is_left_out() -> None:
    page = """
      <div class="navheader"><a href="a">Prev</a> <a href="b">Next</a></div>
      <nav><ul><li><a href="x">Elsewhere</a></li></ul></nav>
      <p><a href="a">Prev</a> | <a href="u">Up</a> | <a href="b">Next</a></p>
      <ul><li><a href="1">1. One</a></li><li><a href="2">2. Two</a></li><li><a href="3">3. Three</a></li></ul>
      <p>The text.</p>
      <ul><li>See <a href="1">One</a> for what it does.</li><li>And <a href="2">Two</a> for more.</li><li>Or ask.</li></ul>
      <footer>Terms</footer>
    """
    assert read(page).text == "The text.\n\n- See One for what it does.\n- And Two for more.\n- Or ask."


def test_the_main_part_is_read_when_there_is_one() -> None:
    body = "<div>Sidebar</div><main><h1>T</h1><p>" + "The article is here. " * 20 + "</p></main><div>Related</div>"
    text = read(body).text
    assert "Sidebar" not in text
    assert "The article is here." in text


def test_a_short_teaser_is_not_taken_for_the_main_part() -> None:
    body = "<article>Teaser.</article><div><p>" + "The real text stands outside. " * 20 + "</p></div>"
    assert "The real text" in read(body).text


def test_an_article_within_an_aside_is_read() -> None:
    body = "<aside><p>" + "The article sits in an aside. " * 20 + "</p></aside>"
    assert "The article sits" in read(body).text


def test_a_table_that_only_places_things_gives_paragraphs() -> None:
    note = "<table><tr><td rowspan=2><img alt='[Note]'></td><th>Note</th></tr><tr><td><p>Mind the gap.</p></td></tr></table>"
    assert read(note).text == "Mind the gap."


def test_marks_of_footnotes_are_left_out() -> None:
    text = read("<p>Fast<sup><a href='#f1'>[1]</a></sup> and 10<sup>6</sup> rows.</p>").text
    assert text == "Fast and 10^6 rows."


def test_misnested_markup_is_read() -> None:
    assert read("<p>one<div>two<p>three</b></td></li></table></p>four").text == "one\n\ntwo\n\nthree\n\nfour"


def test_deep_nesting_costs_no_recursion() -> None:
    deep = "<div>" * 3000 + "<p>bottom</p>"
    assert read(deep).text == "bottom"


def test_facts_about_the_page() -> None:
    head = """
      <title>Vacuum — PostgreSQL Weekly</title>
      <meta property="og:site_name" content="PostgreSQL Weekly">
      <meta name="author" content="By Ada Lovelace and Alan Turing">
      <meta property="article:published_time" content="2022-10-12T08:00:00Z">
    """
    document = read("<h1>Vacuum</h1><p>It reclaims storage.</p>", head)
    assert (document.title, document.site, document.date) == ("Vacuum", "PostgreSQL Weekly", "2022-10-12")
    assert document.authors == ("Ada Lovelace", "Alan Turing")
    assert document.language == "en"


@pytest.mark.parametrize(
    ("head", "body", "title", "site"),
    [
        ("<title>Tasks — Python 3.11 documentation</title>", "<h1>Tasks¶</h1>x", "Tasks", "Python 3.11 documentation"),
        ("<title>COPY</title><link rel=home title='The Manual'>", "<h2>COPY</h2>x", "COPY", "The Manual"),
        ("", "<h1>Only a heading</h1>x", "Only a heading", ""),
        ("<meta property=og:title content='Shared'>", "<p>x</p>", "Shared", ""),
        ("<title>A | Weekly</title><meta property=og:site_name content=Weekly>", "<p>x</p>", "A", "Weekly"),
    ],
)
def test_titles(head: str, body: str, title: str, site: str) -> None:
    document = read(body, head)
    assert (document.title, document.site) == (title, site)


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2022-10-12T08:00:00Z", "2022-10-12"), ("12 October 2022", "2022-10-12"), ("Oct 3, 2022", "2022-10-03"),
        ("October 2022", "2022-10"), ("2022/10", "2022-10"), ("2022", "2022"), ("2022年10月3日", "2022-10-03"),
        ("20221003", "2022-10-03"), ("some day", ""), ("2022-13-40", "2022"),
    ],
)  # fmt: skip
def test_dates(written: str, date: str) -> None:
    assert read("<p>x</p>", f'<meta name="date" content="{written}">').date == date


@pytest.mark.parametrize(
    ("lang", "text", "language"),
    [
        ("en-US", "数据库支持并发事务，这是为了保证数据的一致性。", "zh"),
        ("zh-TW", "資料庫支援並行交易，這是為了保證資料的一致性。", "zh-Hant"),
        ("cs", "Databáze podporuje souběžné transakce.", "cs"),
        ("en", "Die Datenbank ist nicht schnell und das ist auch nicht ein Problem für die Nutzer.", "de"),
        ("", "The database is fast and it has an index for that.", "en"),
    ],
)
def test_the_language_is_what_the_text_shows(lang: str, text: str, language: str) -> None:
    data = f"<html lang='{lang}'><body><p>{text}</p></body></html>".encode()
    assert read_document(data, "a.html").language == language
