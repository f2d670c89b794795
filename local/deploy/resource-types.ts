import type { Create } from "./resource.ts";
import { createAlarm, createCompositeAlarm } from "./resources/alarm.ts";
import { createCustomResource } from "./resources/custom-resource.ts";
import { createDashboard } from "./resources/dashboard.ts";
import { createEventSourceMapping } from "./resources/event-source-mapping.ts";
import { createFunction } from "./resources/function.ts";
import { createFunctionVersion } from "./resources/function-version.ts";
import { createInert, inertWithArn } from "./resources/inert.ts";
import { createParameter } from "./resources/parameter.ts";
import { createQueue } from "./resources/queue.ts";
import { createQueuePolicy } from "./resources/queue-policy.ts";
import { createRule, createSchedule } from "./resources/schedule.ts";
import { createGlobalTable, createTable } from "./resources/table.ts";
import { createTopic } from "./resources/topic.ts";

/** How the resources of a type are created. @throws RangeError for a type that is not served here. */
export function createOf(type: string): Create {
  const create = type.startsWith("Custom::") ? createCustomResource : CREATE.get(type);
  if (create !== undefined) return create;
  throw new RangeError(`Expected a type of resource that is served here, got ${type}`);
}

/** Whether resources of a type live in a service that keeps them over a restart of the cloud; all
 *  others are created again by each start. */
export function isKept(type: string): boolean {
  return type.startsWith("Custom::") || KEPT.has(type);
}

const KEPT: ReadonlySet<string> = new Set([
  "AWS::SQS::Queue",
  "AWS::SQS::QueuePolicy",
  "AWS::DynamoDB::Table",
  "AWS::DynamoDB::GlobalTable",
  "AWS::CloudFormation::CustomResource",
  "AWS::SSM::Parameter",
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
  // The function has read it already.
  ["AWS::Lambda::EventInvokeConfig", createInert],
  ["AWS::CloudFormation::CustomResource", createCustomResource],
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
