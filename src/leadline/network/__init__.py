"""Connections to other machines: which are allowed, and a transport that makes no other."""

from leadline.network.gate import Gate
from leadline.network.transport import USER_AGENT, open_client

__all__ = ["USER_AGENT", "Gate", "open_client"]
