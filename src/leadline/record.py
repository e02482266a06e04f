"""What all nouns have in common."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Base of all nouns: immutable, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
