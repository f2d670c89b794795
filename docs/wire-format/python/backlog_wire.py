"""The wire format of backlogorder, version 1, on Python's standard library alone."""

import base64
import hashlib
import re
import uuid

MESSAGE_BYTES_MAX = 1_044_480
"""SQS allows 1,048,576; 4,096 stay free for what a dead letter adds."""

# Tab, line feed, carriage return, and U+0020 to U+10FFFF without surrogates, U+FFFE and U+FFFF.
_SQS_TEXT = re.compile("[\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
_PLAIN_ID = re.compile("[!-~]{1,128}")


def key_hash(key: str) -> int:
    """32-bit FNV-1a over the key's UTF-8 bytes. UnicodeEncodeError where the key has a lone surrogate."""
    value = 2166136261
    for byte in key.encode("utf-8"):
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value


def partition_of(key: str, partitions: int) -> int:
    """The partition of a key, 0 to partitions - 1; 0 where there are none."""
    return key_hash(key) % partitions if partitions > 0 else 0


def message_of(
    key: str,
    payload: str | bytes,
    partitions: int,
    enqueued_at_ms: int,
    record_id: str | None = None,
    attributes: dict | None = None,
) -> dict:
    """One entry of a SendMessageBatch, its `Id` aside. ValueError says what a record breaks."""
    record_id = record_id if record_id is not None else str(uuid.uuid4())
    _refuse(key == "", "a key of at least one character")
    id_characters = len(record_id.encode("utf-16-le", "surrogatepass")) // 2
    _refuse(not 1 <= id_characters <= 256, "an id of 1 to 256 characters")
    _refuse(not _SQS_TEXT.fullmatch(record_id), "an id of characters that SQS takes")
    own = attributes or {}
    reserved = {"id", "key", "enqueuedAt", "encoding", "replay", "deadLetter"}
    _refuse(len(own) > 5 or bool(reserved & own.keys()), "at most 5 attributes, none reserved")
    body, encoding = _encoded(payload)
    message = {
        "MessageGroupId": str(partition_of(key, partitions)),
        "MessageDeduplicationId": record_id
        if _PLAIN_ID.fullmatch(record_id)
        else hashlib.sha256(record_id.encode("utf-8")).hexdigest(),
        "MessageBody": body,
        "MessageAttributes": {
            "id": {"DataType": "String", "StringValue": record_id},
            "key": {"DataType": "String", "StringValue": key}
            if _SQS_TEXT.fullmatch(key)
            else {"DataType": "Binary", "BinaryValue": key.encode("utf-8")},
            "enqueuedAt": {"DataType": "Number", "StringValue": str(enqueued_at_ms)},
            **({"encoding": {"DataType": "String", "StringValue": encoding}} if encoding else {}),
            **own,
        },
    }
    _refuse(message_bytes(message) > MESSAGE_BYTES_MAX, f"at most {MESSAGE_BYTES_MAX} bytes")
    return message


def message_bytes(message: dict) -> int:
    """What SQS counts: the body, and each attribute's name, type and value."""
    total = len(message["MessageBody"].encode("utf-8"))
    for name, attribute in message["MessageAttributes"].items():
        value = attribute.get("BinaryValue", attribute.get("StringValue", ""))
        for part in (name, attribute["DataType"], value):
            total += len(part if isinstance(part, bytes) else part.encode("utf-8"))
    return total


def _encoded(payload: str | bytes) -> tuple[str, str | None]:
    if len(payload) == 0:
        return "-", "empty"
    if isinstance(payload, bytes):
        try:
            text = payload.decode("utf-8")
        except UnicodeDecodeError:
            return base64.b64encode(payload).decode("ascii"), "base64"
    else:
        payload.encode("utf-8")
        text = payload
    if _SQS_TEXT.fullmatch(text):
        return text, None
    return base64.b64encode(text.encode("utf-8")).decode("ascii"), "base64"


def _refuse(broken: bool, expected: str) -> None:
    if broken:
        raise ValueError(f"Expected {expected}; the record was not sent")
