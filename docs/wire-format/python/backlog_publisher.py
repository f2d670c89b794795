"""A publisher for backlogorder on boto3: keeps the order of each partition, and says what was not sent."""

import json
import time
from collections import defaultdict, deque

from botocore.exceptions import BotoCoreError, ClientError

from backlog_wire import message_bytes, message_of

BATCH_ENTRIES = 10
BATCH_BYTES = 1_048_576
# SQS forgets a de-duplication id after five minutes; the last one is left for the request.
REPEAT_WITHIN_SECONDS = 4 * 60


class Publisher:
    def __init__(self, sqs, ssm, name: str, tries: int = 5):
        """`sqs` must end a request within a minute, its own retries included, for example by
        Config(connect_timeout=5, read_timeout=20, retries={"total_max_attempts": 2})."""
        parameter = ssm.get_parameter(Name=f"/backlogorder/{name}")["Parameter"]["Value"]
        place = json.loads(parameter)
        if place["wire"] != 1 or place["hash"] != "fnv1a-32":
            raise ValueError(f"Expected wire 1 and hash fnv1a-32, got {parameter}; update this publisher")
        self._sqs, self._url, self._partitions = sqs, place["queueUrl"], place["partitions"]
        self._tries = tries

    def publish(self, records: list[dict]) -> tuple[dict[str, str], list[str]]:
        """Takes {key, payload, id?, attributes?}; returns the offset of each id sent, and the ids that
        were not sent, in order. Records that break a rule raise ValueError before anything is sent."""
        waiting: dict[str, deque] = defaultdict(deque)
        for record in records:
            message = message_of(
                record["key"], record["payload"], self._partitions, time.time_ns() // 1_000_000,
                record.get("id"), record.get("attributes"),
            )
            waiting[message["MessageGroupId"]].append(message)
        offsets: dict[str, str] = {}
        unsent: list[str] = []
        failures: dict[str, int] = defaultdict(int)
        first_tried: dict[str, float] = {}
        while waiting:
            heads = _heads(waiting)
            now = time.monotonic()
            for partition in list(heads):
                if now - first_tried.setdefault(partition, now) > REPEAT_WITHIN_SECONDS:
                    # Perhaps sent; SQS would take a repeat for a new message.
                    unsent += [_id_of(message) for message in waiting.pop(partition)]
                    del heads[partition]
            answers = self._send(heads) if heads else {}
            for partition, answer in answers.items():
                if "SequenceNumber" in answer:
                    message = waiting[partition].popleft()
                    offsets[_id_of(message)] = answer["SequenceNumber"]
                    failures[partition] = 0
                    del first_tried[partition]
                else:
                    failures[partition] += 1
                    if answer["SenderFault"] or failures[partition] >= self._tries:
                        # What lies behind a record that could not be sent must not overtake it.
                        unsent += [_id_of(message) for message in waiting.pop(partition)]
                        continue
                if not waiting[partition]:
                    del waiting[partition]
            worst = max((failures[partition] for partition in waiting), default=0)
            if worst > 0:
                time.sleep(min(5.0, 0.1 * 2**worst))
        return offsets, unsent

    def _send(self, heads: dict[str, dict]) -> dict[str, dict]:
        entries = [{"Id": partition, **message} for partition, message in heads.items()]
        try:
            answer = self._sqs.send_message_batch(QueueUrl=self._url, Entries=entries)
        except (BotoCoreError, ClientError):
            # Perhaps sent: the same de-duplication ids make the repeat harmless.
            return {partition: {"SenderFault": False} for partition in heads}
        told = [*answer.get("Successful", []), *answer.get("Failed", [])]
        return {partition: {"SenderFault": False} for partition in heads} | {
            entry["Id"]: entry for entry in told
        }


def _heads(waiting: dict[str, deque]) -> dict[str, dict]:
    """The first record of up to ten partitions, as many as one batch carries. They go to the back of
    the line, so that every partition has its turn."""
    heads: dict[str, dict] = {}
    room = BATCH_BYTES
    for partition in list(waiting):
        size = message_bytes(waiting[partition][0])
        if len(heads) == BATCH_ENTRIES or size > room:
            break
        heads[partition] = waiting[partition][0]
        room -= size
    for partition in heads:
        waiting[partition] = waiting.pop(partition)
    return heads


def _id_of(message: dict) -> str:
    return message["MessageAttributes"]["id"]["StringValue"]
