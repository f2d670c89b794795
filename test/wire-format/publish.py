"""Publishes JSON lines by the example's publisher, and answers with what it said of them."""

import json
import sys

sys.path.insert(0, sys.argv[1])

import boto3  # noqa: E402

from backlog_publisher import Publisher  # noqa: E402

publisher = Publisher(boto3.client("sqs"), boto3.client("ssm"), "live")
offsets, unsent = publisher.publish([json.loads(line) for line in sys.stdin])
print(json.dumps({"offsets": offsets, "unsent": unsent}))
