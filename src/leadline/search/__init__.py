"""Search backends, built in and of third parties, through one door: the entry points `leadline.search`."""

from leadline.search.provider import LOCAL, Provider, Setup

__all__ = ["LOCAL", "Provider", "Setup"]
