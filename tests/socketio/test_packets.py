"""Packet encoding: the bytes on the wire, compared with the official library."""

from contextlib import suppress

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from socketio.packet import Packet as OfficialPacket

from casino.socketio import packets
from casino.socketio.packets import BadPacket, Kind, decode

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=4),
    max_leaves=10,
)
NAMESPACES = st.sampled_from(["/", "/table", "/host"])
ACK_IDS = st.none() | st.integers(0, 10**15 - 1)


@given(NAMESPACES, ACK_IDS, JSON)
def test_packets_of_the_official_library_are_read(namespace: str, ack_id: int | None, data: object) -> None:
    text = OfficialPacket(2, ["bet", data], namespace, ack_id).encode()
    assert isinstance(text, str)
    read = decode(text)
    assert (read.kind, read.namespace, read.ack_id, read.data()) == (Kind.EVENT, namespace, ack_id, ["bet", data])


@given(NAMESPACES, st.integers(0, 10**15 - 1), JSON)
def test_written_packets_are_read_by_the_official_library(namespace: str, ack_id: int, data: object) -> None:
    written = {
        2: (packets.event(namespace, "round", [data, 1])[0], ["round", data, 1], None),
        3: (packets.acknowledgement(namespace, ack_id, [data, 1])[0], [data, 1], ack_id),
        4: (packets.connect_error(namespace, "b", {"code": "a"}), {"message": "b", "data": {"code": "a"}}, None),
        0: (packets.connected(namespace, "x"), {"sid": "x"}, None),
        1: (packets.disconnected(namespace), None, None),
    }
    for kind, (packet, content, number) in written.items():
        assert packet.startswith(b"4")
        read = OfficialPacket(encoded_packet=packet[1:].decode())
        assert (read.packet_type, read.namespace or "/", read.data, read.id) == (kind, namespace, content, number)
        assert packets.SEPARATOR not in packet


@pytest.mark.parametrize("text", ["", "x", "5", "5-[]", "5[]", "6[]", "599999-[]", "7", "-1", "\u0662[]"])
def test_invalid_packets_are_not_read(text: str) -> None:
    with pytest.raises(BadPacket):
        decode(text)


@given(st.text())
def test_any_text_is_a_packet_or_refused(text: str) -> None:
    with suppress(BadPacket):
        decode(text).data()


def test_a_query_behind_the_namespace_is_ignored_and_a_long_number_is_no_acknowledgement() -> None:
    assert decode("0/table?token=1,{}").namespace == "/table"
    assert decode("0/table").namespace == "/table"
    assert decode("0/table?x").namespace == "/table"
    with pytest.raises(BadPacket):
        decode("2/table," + "9" * 16 + '["a"]').data()


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_frames_carry_their_length_in_the_shortest_form(size: int) -> None:
    frame = packets.frame(b"x" * size)
    head = 2 if size < 126 else 4 if size < 1 << 16 else 10
    assert frame[0] == 0x81
    assert len(frame) == head + size
    assert int.from_bytes(frame[2:head], "big") == (size if head > 2 else 0)
    assert frame[1] == (size if size < 126 else 126 if size < 1 << 16 else 127)


def test_first_packet_is_the_handshake() -> None:
    packet = packets.opened("abc", upgrades=["websocket"], ping_ms=250, pong_ms=100, bytes_max=5)
    assert packet[:1] == b"0"
    assert orjson.loads(packet[1:]) == {
        "sid": "abc", "upgrades": ["websocket"], "pingInterval": 250, "pingTimeout": 100, "maxPayload": 5,
    }  # fmt: skip
