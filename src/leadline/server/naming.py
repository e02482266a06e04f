"""Names of files that are sent."""

from urllib.parse import quote


def attachment(name: str) -> str:
    """Return the Content-Disposition of a file that is to be saved under a name (https://www.rfc-editor.org/rfc/rfc6266).

    Browsers take the `filename*`; what is older gets the name in ASCII.
    """
    plain = "".join(char if char.isascii() and (char.isalnum() or char in "-._") else "_" for char in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
