"""JSON Lines of benchmarks: read by path, checked line by line, written whole."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from leadline.errors import OutputError, SourceError

Row = TypeVar("Row", bound=BaseModel)


def read_rows(path: Path, kind: type[Row]) -> list[Row]:
    """Return the rows of a file.

    Raises:
        SourceError: the file cannot be read, or a line is not of this kind.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [kind.model_validate_json(line) for line in lines if line.strip()]
    except OSError as error:
        raise SourceError(
            f"{path.name!r} cannot be read in {str(path.parent)!r}; --data names the folder of the data."
        ) from error
    except ValidationError as error:
        raise SourceError(
            f"{path.name!r} in {str(path.parent)!r} is not of this benchmark's data: {error.errors()[0]['msg']}."
        ) from error


def write_text(out: Path, lines: Iterable[str]) -> None:
    """Write lines to a file.

    Raises:
        OutputError: the file cannot be written.
    """
    try:
        out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{str(out)!r} cannot be written; name a file in a folder that you may write to.") from error
