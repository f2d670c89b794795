"""Publishes by the example's publisher to an SQS that answers nobody for a minute each, on a clock of
its own, and answers with the seconds of each try by id and with what the publisher said."""

import json
import sys

sys.path.insert(0, sys.argv[1])

from botocore.exceptions import BotoCoreError  # noqa: E402

import backlog_publisher  # noqa: E402


class Clock:
    now = 0.0

    def monotonic(self):
        return self.now

    def time_ns(self):
        return int(self.now * 1e9)

    def sleep(self, seconds):
        self.now += seconds


class Sqs:
    def __init__(self, clock):
        self.clock, self.tries = clock, {}

    def send_message_batch(self, QueueUrl, Entries):
        for entry in Entries:
            self.tries.setdefault(entry["MessageDeduplicationId"], []).append(self.clock.now)
        self.clock.now += 60
        raise BotoCoreError()


class Ssm:
    def get_parameter(self, Name):
        place = {"wire": 1, "queueUrl": "none", "partitions": 1000, "hash": "fnv1a-32"}
        return {"Parameter": {"Value": json.dumps(place)}}


clock = backlog_publisher.time = Clock()
sqs = Sqs(clock)
publisher = backlog_publisher.Publisher(sqs, Ssm(), "live")
offsets, unsent = publisher.publish([json.loads(line) for line in sys.stdin])
print(json.dumps({"tries": sqs.tries, "offsets": offsets, "unsent": unsent}))
