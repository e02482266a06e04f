"""The network is out of reach of every test."""

import socket

import pytest


def test_a_connection_beyond_this_machine_is_refused() -> None:
    with socket.socket() as stream, pytest.raises(RuntimeError, match=r"192\.0\.2\.1"):
        stream.connect(("192.0.2.1", 80))


def test_a_name_is_not_looked_up() -> None:
    with pytest.raises(RuntimeError, match="example"):
        socket.getaddrinfo("www.example.org", 80)


def test_loopback_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
