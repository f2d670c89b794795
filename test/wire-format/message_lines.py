"""Reads cases as JSON lines and answers each with the example's message."""

import base64
import json
import sys

sys.path.insert(0, sys.argv[1])

from backlog_wire import key_hash, message_bytes, message_of, partition_of  # noqa: E402


def answer(case: dict) -> dict:
    if "id" not in case:
        return {"hash": key_hash(case["key"]), "partition": partition_of(case["key"], case["partitions"])}
    payload = base64.b64decode(case["payloadBase64"])
    message = message_of(case["key"], payload, case["partitions"], case["enqueuedAt"], case["id"])
    size = message_bytes(message)
    for attribute in message["MessageAttributes"].values():
        if "BinaryValue" in attribute:
            attribute["BinaryValue"] = base64.b64encode(attribute["BinaryValue"]).decode("ascii")
    return {"message": message, "bytes": size}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
