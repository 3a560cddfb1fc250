"""Strict base model of all configuration sections."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Unknown keys and near-miss types are refused, and nothing changes after loading."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
