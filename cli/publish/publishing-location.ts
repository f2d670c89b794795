import type { SSMClient } from "@aws-sdk/client-ssm";
import {
  type PublishingParameter,
  readPublishingParameter,
} from "../../lambdas/core/wire/publishing-parameter.ts";
import { type BacklogParameter, readBacklogParameter } from "../backlog-parameter.ts";

/** Where the publishers of a backlog send, and into how many partitions. */
export type PublishingLocation = PublishingParameter & {
  readonly name: string;
  readonly region: string;
};

/**
 * Finds where to publish as every publisher does, with the publisher policy's one right to read.
 * @throws CommandError where there is no backlog of that name in this region, or where its parameter
 *   cannot be followed. Errors of AWS pass through.
 */
export function locatePublishing(ssm: SSMClient, name: string): Promise<PublishingLocation> {
  return readBacklogParameter(ssm, name, PUBLISHING);
}

const PUBLISHING: BacklogParameter<PublishingParameter> = {
  suffix: "",
  read: readPublishingParameter,
  // Not to deploy: what it says may be a later generation's, and a deploy could send publishers back.
  remedy: (name) =>
    `see what \`aws ssm get-parameter --name /backlogorder/${name}\` holds; where it is right, use the command of the version that was deployed`,
};
