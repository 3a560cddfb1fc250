"""The strictness every part of a configuration file has in common."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Unknown keys and near-miss types are refused, and nothing changes after loading."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
