"""A report as PDF: the page as it is printed, made by weasyprint (extra `pdf`)."""

from typing import TYPE_CHECKING

from leadline.errors import UsageError
from leadline.exports.material import Material
from leadline.grounding.language import is_cjk
from leadline.rendering import render_page

if TYPE_CHECKING:
    from weasyprint import Document


def to_pdf(material: Material) -> bytes:
    """Return the report as PDF. Nothing is fetched for it.

    Raises:
        UsageError: weasyprint or what it needs is not installed, or no font here has the letters of the report.
    """
    try:
        document = _lay_out(render_page(material.view))
    except (ImportError, OSError) as error:  # OSError: Python's part is there, Pango is not
        name = material.run.id
        raise UsageError(
            f"A PDF needs the extra `pdf` (pip install 'leadline[pdf]') and Pango, which are not here: run `leadline"
            f" open {name}` and print from the browser."
        ) from error
    written: bytes = document.write_pdf()
    _check_letters(document)
    return written


def _lay_out(html: str) -> "Document":
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Nothing(URLFetcher):  # type: ignore[misc]
        """Fetches nothing, whatever is asked for."""

        def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
            raise ValueError(f"{url} is not fetched")

    return HTML(string=html, url_fetcher=Nothing()).render()


def _check_letters(document: "Document") -> None:
    """Refuse a PDF with boxes in the place of Chinese, Japanese or Korean letters."""
    missing = sorted({chr(code) for font in document.fonts.values() for code in font.missing if is_cjk(chr(code))})
    if missing:
        raise UsageError(
            f"No font here has the letters {''.join(missing[:8])!r}: install one (Debian: apt-get install fonts-noto-cjk)."
        )
