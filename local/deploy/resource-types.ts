import type { Change, Create, Remove } from "./resource.ts";
import { changeAlarm, createAlarm, createCompositeAlarm, removeAlarm } from "./resources/alarm.ts";
import {
  changeCustomResource,
  createCustomResource,
  removeCustomResource,
} from "./resources/custom-resource.ts";
import { createDashboard } from "./resources/dashboard.ts";
import {
  createEventInvokeConfig,
  removeEventInvokeConfig,
} from "./resources/event-invoke-config.ts";
import {
  changeEventSourceMapping,
  createEventSourceMapping,
  removeEventSourceMapping,
} from "./resources/event-source-mapping.ts";
import { changeFunction, createFunction, removeFunction } from "./resources/function.ts";
import { createFunctionVersion } from "./resources/function-version.ts";
import { createInert, inertWithArn } from "./resources/inert.ts";
import { changeParameter, createParameter, removeParameter } from "./resources/parameter.ts";
import { changeQueue, createQueue, removeQueue } from "./resources/queue.ts";
import {
  changeQueuePolicy,
  createQueuePolicy,
  removeQueuePolicy,
} from "./resources/queue-policy.ts";
import { createRule, createSchedule } from "./resources/schedule.ts";
import { changeTable, createGlobalTable, createTable, removeTable } from "./resources/table.ts";
import { createTopic } from "./resources/topic.ts";

/** How the resources of a type are created. @throws RangeError for a type that is not served here. */
export function createOf(type: string): Create {
  const create = isCustom(type) ? createCustomResource : CREATE.get(type);
  if (create !== undefined) return create;
  throw new RangeError(`Expected a type of resource that is served here, got ${type}`);
}

/** How they are changed; creating one whose name is its own again puts it in its place. */
export function changeOf(type: string): Change {
  return isCustom(type) ? changeCustomResource : (CHANGE.get(type) ?? createOf(type));
}

/** How they are deleted; all others are known to nobody once their stack is gone. */
export function removeOf(type: string): Remove | undefined {
  return isCustom(type) ? removeCustomResource : REMOVE.get(type);
}

/** Whether a function of the template's own makes resources of a type. */
export function isCustom(type: string): boolean {
  return type.startsWith("Custom::") || type === "AWS::CloudFormation::CustomResource";
}

/** Whether resources of a type live in a service that keeps them over a restart of the cloud; all
 *  others are created again by each start. */
export function isKept(type: string): boolean {
  return isCustom(type) || KEPT.has(type);
}

const KEPT: ReadonlySet<string> = new Set([
  "AWS::SQS::Queue",
  "AWS::SQS::QueuePolicy",
  "AWS::DynamoDB::Table",
  "AWS::DynamoDB::GlobalTable",
  "AWS::SSM::Parameter",
]);

const CHANGE: ReadonlyMap<string, Change> = new Map<string, Change>([
  ["AWS::SQS::Queue", changeQueue],
  ["AWS::SQS::QueuePolicy", changeQueuePolicy],
  ["AWS::DynamoDB::Table", changeTable],
  ["AWS::DynamoDB::GlobalTable", changeTable],
  ["AWS::Lambda::Function", changeFunction],
  ["AWS::Lambda::EventSourceMapping", changeEventSourceMapping],
  ["AWS::CloudWatch::Alarm", changeAlarm(createAlarm)],
  ["AWS::CloudWatch::CompositeAlarm", changeAlarm(createCompositeAlarm)],
  ["AWS::SSM::Parameter", changeParameter],
]);

const REMOVE: ReadonlyMap<string, Remove> = new Map<string, Remove>([
  ["AWS::SQS::Queue", removeQueue],
  ["AWS::SQS::QueuePolicy", removeQueuePolicy],
  ["AWS::DynamoDB::Table", removeTable],
  ["AWS::DynamoDB::GlobalTable", removeTable],
  ["AWS::Lambda::Function", removeFunction],
  ["AWS::Lambda::EventInvokeConfig", removeEventInvokeConfig],
  ["AWS::Lambda::EventSourceMapping", removeEventSourceMapping],
  ["AWS::CloudWatch::Alarm", removeAlarm],
  ["AWS::CloudWatch::CompositeAlarm", removeAlarm],
  ["AWS::SSM::Parameter", removeParameter],
]);

const CREATE: ReadonlyMap<string, Create> = new Map<string, Create>([
  ["AWS::SQS::Queue", createQueue],
  ["AWS::SQS::QueuePolicy", createQueuePolicy],
  ["AWS::DynamoDB::Table", createTable],
  ["AWS::DynamoDB::GlobalTable", createGlobalTable],
  ["AWS::Lambda::Function", createFunction],
  ["AWS::Lambda::Version", createFunctionVersion],
  ["AWS::Lambda::EventSourceMapping", createEventSourceMapping],
  ["AWS::Lambda::Permission", createInert],
  ["AWS::Lambda::EventInvokeConfig", createEventInvokeConfig],
  ["AWS::Events::Rule", createRule],
  ["AWS::Scheduler::Schedule", createSchedule],
  ["AWS::CloudWatch::Alarm", createAlarm],
  ["AWS::CloudWatch::CompositeAlarm", createCompositeAlarm],
  ["AWS::CloudWatch::Dashboard", createDashboard],
  ["AWS::SNS::Topic", createTopic],
  ["AWS::SNS::TopicPolicy", createInert],
  ["AWS::SNS::Subscription", createInert],
  ["AWS::SSM::Parameter", createParameter],
  ["AWS::IAM::Policy", createInert],
  [
    "AWS::IAM::Role",
    inertWithArn({
      service: "iam",
      resource: (name) => `role/${name}`,
      nameProperty: "RoleName",
      lengthMax: 64,
    }),
  ],
  [
    "AWS::IAM::ManagedPolicy",
    inertWithArn({
      service: "iam",
      resource: (name) => `policy/${name}`,
      nameProperty: "ManagedPolicyName",
      ref: "arn",
      arnAttribute: "PolicyArn",
      lengthMax: 128,
    }),
  ],
  [
    "AWS::Logs::LogGroup",
    inertWithArn({
      service: "logs",
      resource: (name) => `log-group:${name}:*`,
      nameProperty: "LogGroupName",
    }),
  ],
  [
    "AWS::KMS::Key",
    inertWithArn({ service: "kms", resource: (id) => `key/${id}`, nameProperty: "KeyId" }),
  ],
  ["AWS::CDK::Metadata", createInert],
]);
